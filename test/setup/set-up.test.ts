import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/sources.js';
import { loadSetUp } from './set-up-module.js';

const BUILD = join(ROOT, 'src', 'setup', 'build.mjs');
const LOCK = join(ROOT, 'build', 'setup', 'lock');

describe('Setting the clone up', () => {
  it('does nothing where it is set up', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BUILD], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '', stderr: '' });
  });

  it('compares versions by their numbers', async () => {
    const { compareVersions } = await loadSetUp<{
      compareVersions: (left: string, right: string) => number;
    }>('node-version');
    expect(compareVersions('20.9.0', '20.19')).to.be.below(0);
    expect(compareVersions('22.0.0', '20.19')).to.be.above(0);
    expect(compareVersions('20.19.0', '20.19')).to.equal(0);
  });

  describe('knows its inputs by a fingerprint that', () => {
    let fingerprint: (paths: string[], wanted?: (path: string) => boolean) => Promise<string>;

    before(async () => {
      ({ fingerprint } = await loadSetUp<{ fingerprint: typeof fingerprint }>('fingerprint'));
    });

    it('is the same for the same files', async () => {
      expect(await fingerprint(['src/setup'])).to.equal(await fingerprint(['src/setup']));
    });

    it('changes with the files that are wanted', async () => {
      const some = await fingerprint(['src/setup'], (path) => !path.endsWith('zip.mjs'));
      expect(await fingerprint(['src/setup'])).to.not.equal(some);
    });

    it('changes with a file that is not there yet', async () => {
      expect(await fingerprint(['tsconfig.json', 'absent.json'])).to.not.equal(
        await fingerprint(['tsconfig.json']),
      );
    });
  });

  describe('is done by one process at a time:', () => {
    let exclusively: <T>(work: () => Promise<T>, say?: (line: string) => void) => Promise<T>;

    before(async () => {
      ({ exclusively } = await loadSetUp<{ exclusively: typeof exclusively }>('setup-lock'));
    });

    it('the second waits for the first', async () => {
      const order: string[] = [];
      let second: Promise<unknown> | undefined;
      await exclusively(async () => {
        const secondWaits = new Promise<unknown>((resolve) => {
          second = exclusively(() => Promise.resolve(order.push('second')), resolve);
        });
        await Promise.race([secondWaits, second]);
        order.push('first ends');
      });
      await second;
      expect(order).to.deep.equal(['first ends', 'second']);
    });

    it('a lock is taken from a process that has died', async () => {
      const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
      mkdirSync(join(ROOT, 'build', 'setup'), { recursive: true });
      writeFileSync(LOCK, dead);
      expect(await exclusively(() => Promise.resolve('done'))).to.equal('done');
      expect(existsSync(LOCK)).to.be.false;
    });
  });
});
