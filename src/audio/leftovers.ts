import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, removeOfDeadProcesses } from '../dead-processes.js';

/*
 * Where a helper process keeps what is its own, and what becomes of that when it and its parent were both killed: the
 * next helper removes it.
 */

const SOCKET = 'encoder.sock';
/** Milliseconds after which a directory whose helper does not listen yet will never have one. */
const LONGEST_START = 60_000;

/** A helper's directory for files in the making. */
export function scratchOf(pid: number, parent: string): string {
  return join(parent, `encoder-${pid}`);
}

/** Makes this process's own, and removes those of helpers that are dead. */
export function makeScratch(parent: string): string {
  const own = scratchOf(process.pid, parent);
  mkdirSync(own, { recursive: true });
  removeOfDeadProcesses(parent, /^encoder-(\d+)$/);
  return own;
}

/**
 * A path for a socket, in a directory that only this user may enter. Not in the scratch directory: the path of a
 * socket may have no more than about 100 bytes.
 */
export function makeSocketPath(): string {
  return join(mkdtempSync(join(tmpdir(), `lantang-encoder-${process.pid}-`)), SOCKET);
}

/**
 * Removes the socket directories of helpers that are surely dead: ours, named for a process that is not running, and
 * with a socket that nobody answers. The last also spares those of other containers, whose processes cannot be seen.
 */
export async function sweepSocketDirectories(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^lantang-encoder-(\d+)-\w{6}$/.exec(name)?.[1];
    const path = join(tmpdir(), name);
    if (pid && !isAlive(Number(pid)) && isOurs(path) && !(await isInUse(path)))
      rmSync(path, { recursive: true, force: true });
  }
}

function isOurs(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

async function isInUse(directory: string): Promise<boolean> {
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const socket = connect(join(directory, SOCKET), () => {
      socket.destroy();
      resolve(undefined);
    }).on('error', resolve);
  });
  if (failure?.code === 'ENOENT') return isYoung(directory);
  return failure?.code !== 'ECONNREFUSED';
}

function isYoung(directory: string): boolean {
  const made = statSync(directory, { throwIfNoEntry: false })?.mtimeMs;
  return made === undefined || Date.now() - made < LONGEST_START;
}
