import { mkdir, readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { fromRoot, ROOT } from './paths.mjs';
import { SetUpError } from './set-up-error.mjs';

const LAST_LINES = 15;

/**
 * Runs a step and tells a person so on the standard error stream: standard output belongs to the command that was
 * asked for. A failure names the end of the step's log and where all of it is.
 * @param {string} place such as `2/4`
 * @param {import('./set-up.mjs').Step} step
 */
export async function reportProgress(place, step) {
  const title = `set-up ${place}: ${step.name}`;
  const log = await emptyLog(step.name);
  const finish = startLine(title);
  try {
    await step.run(log);
    finish('ready');
  } catch (error) {
    finish('failed');
    throw new SetUpError(await explain(step.name, error, log), { cause: error });
  }
}

/** A line that ends with the seconds it took; on a terminal it counts them while they pass. */
function startLine(title) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  const { stderr } = process;
  if (!stderr.isTTY) {
    console.error(`${title} …`);
    return (outcome) => console.error(`${title}: ${outcome} after ${seconds()}`);
  }
  const draw = (text) => stderr.write(`\r\u001b[K${title} ${text}`);
  draw('…');
  const ticking = setInterval(() => draw(`… ${seconds()}`), 1000);
  return (outcome) => {
    clearInterval(ticking);
    draw(`${outcome} after ${seconds()}\n`);
  };
}

async function emptyLog(name) {
  const log = fromRoot(`build/setup/${name.toLowerCase().replace(/\W+/g, '-')}.log`);
  await mkdir(fromRoot('build/setup'), { recursive: true });
  await rm(log, { force: true });
  return log;
}

async function explain(name, error, log) {
  const text = await readFile(log, 'utf8').catch(() => '');
  const sentence = `Setting up failed at "${name}": ${error.message}`;
  if (text.trim() === '') return sentence;
  const end = text.trimEnd().split('\n').slice(-LAST_LINES).join('\n  ');
  return `${sentence}\n\n  ${end}\n\nThe whole log is in ${relative(ROOT, log)}, under ${ROOT}.`;
}
