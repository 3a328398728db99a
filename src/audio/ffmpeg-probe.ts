import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import ffmpeg from 'fluent-ffmpeg';
import type { FfmpegCapabilities } from './ffmpeg-task.js';
import { killTree } from './process-tree.js';

/** Asks a program what it can do; one that is missing, fails or does not answer in `patience` seconds can do nothing. */
export async function examineFfmpeg(path: string, patience: number): Promise<FfmpegCapabilities> {
  try {
    const [listed, filters] = await Promise.all([
      ask(path, ['-encoders'], patience),
      ask(path, ['-hide_banner', '-filters'], patience),
    ]);
    const version = /^ffmpeg version (\S+)/m.exec(listed.stderr)?.[1];
    if (version === undefined) throw new Error('the program that goes by that name is no ffmpeg');
    await inTime(rememberForRuns(), patience);
    return {
      version,
      encoders: [...listed.stdout.matchAll(/^ A\S{5} (\w+)/gm)].map(([, name]) => name!),
      rubberband: /^ *\S+ rubberband /m.test(filters.stdout),
    };
  } catch (error) {
    return { encoders: [], rubberband: false, trouble: troubleOf(error as NodeJS.ErrnoException) };
  }
}

/** fluent-ffmpeg asks ffmpeg for its formats and encoders before its first run: that shall not be a caller's. */
function rememberForRuns(): Promise<unknown> {
  return Promise.all([promisify(ffmpeg.getAvailableFormats)(), promisify(ffmpeg.getAvailableEncoders)()]);
}

async function ask(path: string, args: string[], patience: number) {
  const answer = promisify(execFile)(path, args, { maxBuffer: 4 * 1024 * 1024 });
  const { child } = answer;
  return inTime(answer, patience).catch((error: unknown) => {
    if (child.pid !== undefined && child.exitCode === null) void killTree(child.pid);
    throw error;
  });
}

async function inTime<Answer>(answer: Promise<Answer>, patience: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), patience * 1000);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

/** To complete "…, but". */
function troubleOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'no ffmpeg was found';
  if (code === 'EACCES') return 'it may not be executed';
  // execFile gives the exit status here, and in the message what the program said.
  return typeof code === 'number' ? 'it ends with an error when it is started' : message;
}
