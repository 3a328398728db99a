import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/sources.js';

export interface Instruction {
  /** `FROM`, `RUN`, … */
  verb: string;
  /** All that follows it, continued lines joined. */
  text: string;
}

export interface Stage {
  name: string;
  /** The image or the earlier stage that it stands on. */
  from: string;
  instructions: Instruction[];
}

/** Reads a Dockerfile of the shape that this project writes: every stage has a name, no heredocs, no ARG. */
export function readDockerfile(file: string): Stage[] {
  const stages: Stage[] = [];
  for (const { verb, text } of instructionsOf(readFileSync(join(ROOT, file), 'utf8'))) {
    const [, from, name] = /^(\S+) AS (\S+)$/.exec(text) ?? [];
    if (verb === 'FROM' && from && name) stages.push({ name, from, instructions: [] });
    else stages.at(-1)!.instructions.push({ verb, text });
  }
  return stages;
}

function instructionsOf(source: string): Instruction[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [verb = '', text = ''] = line.split(/ (.*)/s);
      return { verb, text };
    });
}

/** The arguments of a stage's instructions of one kind. */
export function argumentsOf(stage: Stage, verb: string): string[] {
  return stage.instructions.filter((each) => each.verb === verb).map(({ text }) => text);
}

export interface Copy {
  /** The stage that it is copied from; absent where it comes from the project. */
  from: string | undefined;
  sources: string[];
  target: string;
}

/** What `COPY` brings. */
export function copiesOf(stage: Stage): Copy[] {
  return argumentsOf(stage, 'COPY').map((text) => {
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
    const words = paths.split(' ');
    return { from, sources: words.slice(0, -1), target: words.at(-1)! };
  });
}

/** What `ENV` sets. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = argumentsOf(stage, 'ENV').flatMap((text) => text.split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2) as [string, string]));
}

/** The program that `HEALTHCHECK` runs, with its arguments. */
export function healthCommandOf(stage: Stage): string[] {
  const [, command = '[]'] = /CMD (\[.*\])$/.exec(argumentsOf(stage, 'HEALTHCHECK')[0] ?? '') ?? [];
  return JSON.parse(command) as string[];
}
