import { Counter, Gauge, type Registry } from 'prom-client';

/** Values by what their one label says; or the only value, under no label. */
export type Values = number | Record<string, number>;

interface Pulled {
  name: string;
  help: string;
  /** Where there are several values. */
  label?: string;
}

/** A gauge whose values are read when somebody asks for them. */
export function pulledGauge(registry: Registry, { label, ...about }: Pulled, read: () => Values): void {
  new Gauge({
    ...about,
    registers: [registry],
    labelNames: label === undefined ? [] : [label],
    collect() {
      for (const [labels, value] of labelled(label, read())) this.set(labels, value);
    },
  });
}

/** A counter that another room keeps, read when somebody asks for it. */
export function pulledCounter(registry: Registry, { label, ...about }: Pulled, read: () => Values): void {
  new Counter({
    ...about,
    registers: [registry],
    labelNames: label === undefined ? [] : [label],
    collect() {
      this.reset();
      for (const [labels, value] of labelled(label, read())) this.inc(labels, value);
    },
  });
}

function labelled(label: string | undefined, values: Values): [Record<string, string>, number][] {
  if (typeof values === 'number') return [[{}, values]];
  return Object.entries(values).map(([name, value]) => [label === undefined ? {} : { [label]: name }, value]);
}
