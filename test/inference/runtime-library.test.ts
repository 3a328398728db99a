import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/config.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { placesOf } from '../../src/places.js';
import { runtimeOf } from '../../src/studio.js';

describe('The ONNX Runtime library', () => {
  let dataDir: string;
  let cudaBuild: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'lantang-runtime-'));
    const folder = placesOf({ dataDir, modelsDir: undefined }).cudaLibraries;
    mkdirSync(folder, { recursive: true });
    cudaBuild = join(folder, 'libonnxruntime.so.1.31.1');
    writeFileSync(cudaBuild, '');
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const chosen = (devices: string[], environment: NodeJS.ProcessEnv = {}) =>
    runtimeOf(readSettings({ dataDir, devices }, environment));

  it('is the CUDA build where it was set up and a GPU may be used', () => {
    for (const devices of [['auto'], ['cuda:0'], ['cpu:1', 'cuda:0x2']]) {
      expect(chosen(devices), devices.join()).to.equal(cudaBuild);
    }
  });

  it('is the npm package’s where no GPU may be used', () => {
    expect(chosen(['cpu'])).to.equal(runtimeLibrary());
  });

  it('is the npm package’s while the CUDA set-up is unfinished', () => {
    rmSync(cudaBuild);
    writeFileSync(`${cudaBuild}.partial`, '');
    expect(chosen(['auto'])).to.equal(runtimeLibrary());
    rmSync(join(dataDir, 'cuda'), { recursive: true });
    expect(chosen(['auto'])).to.equal(runtimeLibrary());
  });

  it('is the configured one before all others', () => {
    expect(chosen(['auto'], { LANTANG_ONNXRUNTIME: '/opt/own.so' })).to.equal('/opt/own.so');
  });
});
