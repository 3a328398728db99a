import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { projectFiles, ROOT } from '../project/sources.js';
import { argumentsOf, copiesOf, environmentOf, healthCommandOf, readDockerfile } from './dockerfile.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';

const ASKED = process.env.LANTANG_REHEARSE_DOCKERFILE ?? (process.env.CI ? '1' : '');

/**
 * Dockerfile.cuda, step by step, without a container engine: each stage is a folder, each path of the image is one
 * below it, each RUN is the same command. What changes the system (apt-get, other owners) is left out. It installs and
 * compiles everything anew, so it runs in CI, and elsewhere only when asked: LANTANG_REHEARSE_DOCKERFILE=1, or =all to
 * fetch the 1.5 GB of CUDA libraries too.
 */
describe('Dockerfile.cuda in plain folders', function () {
  this.timeout(1_200_000);
  const stages = readDockerfile('Dockerfile.cuda');
  let image: string;

  before(function () {
    if (ASKED === '') {
      this.test!.parent!.title += ' (skipped: takes minutes; LANTANG_REHEARSE_DOCKERFILE=1 asks for it)';
      this.skip();
    }
    image = mkdtempSync(join(tmpdir(), 'lantang-image-'));
  });
  after(() => image && rmSync(image, { recursive: true, force: true }));

  const stage = (name: string) => stages.find((each) => each.name === name)!;
  /** A path of the image, in this stage's folder. */
  const placed = (name: string, path: string) =>
    join(image, name, path.startsWith('/') ? path : `lantang/${path}`);
  /** A command whose absolute paths are those of this stage's folder. */
  const inFolder = (name: string, text: string) =>
    text.replaceAll(/(?<=[ =])\/(opt|lantang|data|models)\b/g, (path) => placed(name, path));

  function run(name: string) {
    const cwd = placed(name, '.');
    mkdirSync(cwd, { recursive: true });
    for (const command of argumentsOf(stage(name), 'RUN')) {
      const env = { PATH: process.env.PATH, HOME: process.env.HOME };
      const { status, stderr } = spawnSync('sh', ['-ec', inFolder(name, command)], {
        cwd,
        env,
        encoding: 'utf8',
      });
      expect(status, `${command}\n${stderr}`).to.equal(0);
    }
  }

  function copy(name: string) {
    for (const { from, sources, target } of copiesOf(stage(name))) {
      for (const source of sources) {
        if (from === undefined) copyTracked(source, placed(name, target));
        else copyBuilt(placed(from, source), placed(name, target), source.endsWith('/'));
      }
    }
  }

  function copyTracked(source: string, target: string) {
    const wanted = source === '.' ? projectFiles() : projectFiles().filter((path) => path.startsWith(source));
    for (const path of wanted) {
      const to = join(target, source.endsWith('/') ? path.slice(source.length) : path);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(ROOT, path), to);
    }
  }

  function copyBuilt(source: string, target: string, isFolder: boolean) {
    if (!existsSync(source) && source.includes('/cuda/')) return; // not asked for
    mkdirSync(target, { recursive: true });
    cpSync(source, isFolder ? target : join(target, basename(source)), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }

  it('brings the CUDA libraries', function () {
    if (ASKED !== 'all') this.skip(); // 1.5 GB
    copy('cuda');
    run('cuda');
    expect(existsSync(placed('cuda', '/opt/lantang/cuda/lib/libonnxruntime.so'))).to.be.true;
  });

  it('builds, and leaves out what is not needed to run', () => {
    copy('devel');
    run('devel');
    expect(existsSync(placed('devel', 'build/Release/lantang.node'))).to.be.true;
    expect(existsSync(placed('devel', 'node_modules/typescript'))).to.be.false;
  });

  it('serves what it has copied, tells its health, and ends by itself when told to', async () => {
    copy('runtime');
    for (const folder of ['/data', '/models']) mkdirSync(placed('runtime', folder), { recursive: true });
    const environment = environmentOf(stage('runtime'));
    const library = inFolder('runtime', `=${environment.LANTANG_ONNXRUNTIME}`).slice(1);
    if (ASKED !== 'all') {
      mkdirSync(dirname(library), { recursive: true });
      symlinkSync(runtimeLibrary(), library);
    }
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: process.env.HOME };
    for (const [name, value] of Object.entries(environment))
      env[name] = inFolder('runtime', `=${value}`).slice(1);
    env.LANTANG_PORT = String(await freePort());
    const [program = '', ...args] = JSON.parse(argumentsOf(stage('runtime'), 'ENTRYPOINT')[0]!) as string[];
    const command = [...args, ...(JSON.parse(argumentsOf(stage('runtime'), 'CMD')[0]!) as string[])];
    const service = spawn(program, command, {
      cwd: placed('runtime', '.'),
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      const ended = once(service, 'close');
      const [check = '', ...checkArgs] = healthCommandOf(stage('runtime'));
      // As an engine does: again, until it is healthy. The suite's limit is on all of it.
      while (spawnSync(check, checkArgs, { env }).status !== 0) {
        await new Promise(setImmediate); // else nobody would notice that the service has ended
        expect(service.exitCode).to.equal(null);
      }
      service.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
    } finally {
      service.kill('SIGKILL');
    }
  });

  async function freePort(): Promise<number> {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    return port;
  }
});
