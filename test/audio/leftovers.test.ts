import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeScratch, makeSocketPath, sweepSocketDirectories } from '../../src/audio/leftovers.js';

/** A process id that nobody has. */
const NOBODY = 99_999_999;

/** A directory as a helper of that process id would make it. */
function socketDirectory(pid: number): string {
  return mkdtempSync(join(tmpdir(), `lantang-encoder-${pid}-`));
}

async function listenIn(directory: string): Promise<Server> {
  const server = createServer().listen(join(directory, 'encoder.sock'));
  await once(server, 'listening');
  return server;
}

/** A process that listens there and is killed, which leaves its socket. */
async function dieListeningIn(directory: string): Promise<void> {
  const path = JSON.stringify(join(directory, 'encoder.sock'));
  const program = `require('node:net').createServer().listen(${path}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
}

function ageBy(seconds: number, directory: string): void {
  const then = Date.now() / 1000 - seconds;
  utimesSync(directory, then, then);
}

describe('What killed helpers leave', () => {
  const made: string[] = [];
  const make = (pid: number) => {
    const directory = socketDirectory(pid);
    made.push(directory);
    return directory;
  };
  afterEach(() => {
    for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
  });

  it('is removed: sockets that nobody answers, and directories that never got one', async () => {
    const [dead, empty] = [make(NOBODY), make(NOBODY)];
    await dieListeningIn(dead);
    ageBy(120, empty);
    await sweepSocketDirectories();
    expect([dead, empty].filter(existsSync)).to.deep.equal([]);
  });

  it('is told from what lives: sockets that somebody answers, those being made, and other programs’', async () => {
    const [elsewhere, young, alive] = [make(NOBODY), make(NOBODY), make(process.pid)];
    const others = mkdtempSync(join(tmpdir(), `lantang-${NOBODY}-`));
    made.push(others);
    const server = await listenIn(elsewhere);
    for (const directory of [alive, others]) ageBy(120, directory);
    await sweepSocketDirectories();
    expect([elsewhere, young, alive, others].filter(existsSync)).to.have.length(4);
    server.close();
  });

  it('is told from what this process makes', async () => {
    const parent = join(make(process.pid), 'scratch');
    const left = join(parent, `encoder-${NOBODY}`);
    mkdirSync(left, { recursive: true });
    const scratch = makeScratch(parent);
    const socket = dirname(makeSocketPath());
    made.push(socket);
    await sweepSocketDirectories();
    expect([scratch, socket, left].map(existsSync)).to.deep.equal([true, true, false]);
  });
});
