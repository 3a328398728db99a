import { expect } from 'chai';
import { posix } from 'node:path';
import { projectFiles, textOf } from './sources.js';

/** The map of src/README.md as data: an arrow may lead from a line to any line below it. */
const FLOORS = [
  ['main', 'cli', 'studio', 'readiness', 'background-voices', 'background-tuning'],
  ['http', 'console', 'metrics'],
  ['jobs'],
  ['speech', 'model-names'],
  ['segment-cache'],
  ['text', 'inference', 'audio', 'voices', 'artifacts', 'store', 'accounts'],
  ['places', 'log', 'folders', 'scratch-folder'],
  ['config'],
  ['config-kinds', 'errors', 'dead-processes'],
];

/** Arrows between rooms of one floor. */
const SIDEWAYS = new Set([
  'cli → main',
  'cli → studio',
  'main → studio',
  'main → readiness',
  'main → background-voices',
  'background-voices → studio',
  'main → background-tuning',
  'background-tuning → studio',
  'readiness → studio',
  'text → voices',
  'inference → voices',
  'accounts → store',
  'store → audio',
  'config-kinds → errors',
]);

/** `src/text/utterance.ts` → `text`; `src/errors.ts` → `errors`. */
const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.ts$/, '');

interface Import {
  from: string;
  to: string;
}

function importsOf(path: string): Import[] {
  const statements = textOf(path).matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g);
  return [...statements].map(([, target]) => ({
    from: path,
    to: `${posix.join(posix.dirname(path), target ?? '')}.ts`,
  }));
}

describe('The arrows between the rooms', () => {
  const sources = projectFiles().filter((path) => path.startsWith('src/') && path.endsWith('.ts'));
  const imports = sources.flatMap(importsOf);

  it('are read from the sources', () => {
    expect(imports).to.deep.include({ from: 'src/inference/binding.ts', to: 'src/voices/manifest.ts' });
  });

  it('lead to files that exist', () => {
    expect(imports.filter(({ to }) => !sources.includes(to))).to.deep.equal([]);
  });

  it('go one way, as the map says', () => {
    expect(imports.filter(goesUp).map(({ from, to }) => `${from} → ${to}`)).to.deep.equal([]);
  });

  it('leave the environment to config.ts', () => {
    const readers = sources.filter((path) => /process\.env\b/.test(textOf(path)));
    expect(readers).to.deep.equal(['src/config.ts']);
  });
});

function goesUp({ from, to }: Import): boolean {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === target || SIDEWAYS.has(`${room} → ${target}`)) return false;
  return floorOf(target) <= floorOf(room);
}

function floorOf(room: string): number {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  if (floor < 0) throw new Error(`src/${room} has no floor in this test's map.`);
  return floor;
}
