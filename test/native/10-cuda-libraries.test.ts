import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { smallGraph, smallManifest, suiteFolder, writeSmallVoice } from './small-voice.js';

const folder = suiteFolder();
const BINDING = fileURLToPath(new URL('../../src/inference/binding.js', import.meta.url));

/** Prints the libraries of the folder that its process has open: before a CUDA session was asked for, and after. */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  const [binding, libraryPath, request] = process.argv.slice(1);
  const addon = (await import(binding)).loadAddon();
  const open = () => [...new Set(readFileSync('/proc/self/maps', 'utf8').match(/libcu[a-zA-Z]+\\.so\\.\\d+/g) ?? [])].sort();
  addon.openRuntime({ libraryPath });
  const before = open();
  let code;
  try { addon.load(JSON.parse(request)); } catch (error) { code = error.code; }
  console.log(JSON.stringify({ before, after: open(), code }));
`;

describe('native: CUDA libraries beside the runtime', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip(); // only there are they set up
  });

  /** A library that names those that it needs, but not where they are. */
  function writeLibrary(beside: string, name: string, needs: string[] = []) {
    const source = join(beside, 'empty.c');
    writeFileSync(source, 'int here;\n');
    const needed = needs.map((each) => `-l:${each}`);
    execFileSync('cc', [
      ...['-shared', '-fPIC', source, '-o', join(beside, name), `-Wl,-soname,${name}`],
      ...['-Wl,--no-as-needed', `-L${beside}`, ...needed],
    ]);
  }

  function ask(beside: string) {
    const libraryPath = join(beside, 'libonnxruntime.so.1');
    symlinkSync(runtimeLibrary(), libraryPath);
    const directory = writeSmallVoice(folder(), smallGraph({}));
    const request = { directory, manifest: smallManifest(), device: { provider: 'cuda', deviceId: 0 } };
    const args = ['--input-type=module', '-e', PROGRAM, BINDING, libraryPath, JSON.stringify(request)];
    const environment = { ...process.env, LD_LIBRARY_PATH: '' };
    return JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8', env: environment }),
    ) as unknown;
  }

  it('are open under their names before the provider asks for them, without LD_LIBRARY_PATH', () => {
    const beside = join(folder(), 'beside');
    mkdirSync(beside);
    writeLibrary(beside, 'libcudart.so.13');
    writeLibrary(beside, 'libcublasLt.so.13');
    writeLibrary(beside, 'libcublas.so.13', ['libcublasLt.so.13']);
    writeLibrary(beside, 'libcurand.so.10', ['libcudart.so.13', 'libcublas.so.13']);
    expect(ask(beside)).to.deep.equal({
      before: [],
      after: ['libcublas.so.13', 'libcublasLt.so.13', 'libcudart.so.13', 'libcurand.so.10'],
      code: 'device_unavailable',
    });
  });

  it('may be absent or broken: the failure is the provider’s own', () => {
    const beside = join(folder(), 'broken');
    mkdirSync(beside);
    writeFileSync(join(beside, 'libcudart.so.13'), 'not a library');
    expect(ask(beside)).to.deep.equal({ before: [], after: [], code: 'device_unavailable' });
  });
});
