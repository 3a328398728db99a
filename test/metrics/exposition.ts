const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"';
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary']);
/** As Go's ParseFloat reads them, which is what Prometheus does. */
const VALUE = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf)|nan)$/i;

interface Family {
  name: string;
  help: string;
  type: string;
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A text in Prometheus' exposition format 0.0.4, read strictly. Throws on whatever a scraper might stumble over. */
export class Exposition {
  readonly families: Family[] = [];
  readonly #samples = new Map<string, Sample>();

  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('The last line does not end.');
    for (const line of text.slice(0, -1).split('\n')) {
      if (line.startsWith('#')) this.#comment(line);
      else if (line !== '') this.#sample(line);
    }
    for (const { name, type } of this.families) if (type === 'histogram') this.#checkHistogram(name);
  }

  names(): string[] {
    return this.families.map(({ name }) => name);
  }

  /** The value whose labels are just these; undefined where there is none. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    return this.#samples.get(seriesOf(name, labels))?.value;
  }

  /** How often a histogram was given a value. */
  count(name: string, labels: Record<string, string> = {}): number {
    return this.value(`${name}_count`, labels) ?? 0;
  }

  sum(name: string, labels: Record<string, string> = {}): number {
    return this.value(`${name}_sum`, labels) ?? 0;
  }

  /** All values that a label takes in a family. */
  labelValues(name: string, label: string): string[] {
    const own = [...this.#samples.values()].filter((sample) => familyOf(sample.name, name));
    return [...new Set(own.flatMap(({ labels }) => labels[label] ?? []))].sort();
  }

  #comment(line: string): void {
    const [, kind, name, rest] = COMMENT.exec(line) ?? [];
    if (!kind || !name || !rest) throw new Error(`Neither help nor type: ${line}`);
    const last = this.families.at(-1);
    if (kind === 'HELP') {
      if (this.names().includes(name)) throw new Error(`A second time: ${line}`);
      this.families.push({ name, help: rest, type: '' });
    } else {
      if (last?.name !== name || last.type !== '' || !TYPES.has(rest))
        throw new Error(`Out of place: ${line}`);
      last.type = rest;
    }
  }

  #sample(line: string): void {
    const [, name = '', labelled = ''] = SAMPLE.exec(line) ?? [];
    const value = line.slice(line.lastIndexOf(' ') + 1);
    const family = this.families.at(-1);
    if (name === '' || !VALUE.test(value)) throw new Error(`Not of the format: ${line}`);
    if (!family?.type || !familyOf(name, family.name)) throw new Error(`Outside of its family: ${line}`);
    const pairs = [...labelled.matchAll(new RegExp(LABEL, 'g'))];
    const labels = Object.fromEntries(pairs.map(([, label, content]) => [label!, content!]));
    const series = seriesOf(name, labels);
    if (this.#samples.has(series)) throw new Error(`A second time: ${line}`);
    this.#samples.set(series, { name, labels, value: Number(value.replace(/inf/i, 'Infinity')) });
  }

  /** Buckets never fall, and the last of them is the count. */
  #checkHistogram(name: string): void {
    const buckets = [...this.#samples.values()].filter((sample) => sample.name === `${name}_bucket`);
    const before = new Map<string, number>();
    for (const { labels, value } of buckets) {
      const { le, ...own } = labels;
      const series = seriesOf(name, own);
      if (value < (before.get(series) ?? 0)) throw new Error(`The buckets of ${series} fall at ${le}.`);
      before.set(series, value);
      if (le === '+Inf' && value !== this.count(name, own)) throw new Error(`${series} miscounts.`);
    }
  }
}

function familyOf(name: string, family: string): boolean {
  return name === family || ['_bucket', '_sum', '_count'].some((part) => name === family + part);
}

function seriesOf(name: string, labels: Record<string, string>): string {
  return name + JSON.stringify(Object.entries(labels).sort());
}
