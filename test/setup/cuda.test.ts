import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSetUp } from './set-up-module.js';

interface Wheel {
  name: string;
  version: string;
  file: string;
  bytes: number;
  sha256: string;
  folder: string;
  libraries: Record<string, string>;
  unpackedBytes: number;
}

interface Install {
  missingWheels(wheels: Wheel[], folder: string): Promise<Wheel[]>;
  installFrom(folder: string, wheels: Wheel[], target: string): Promise<void>;
  sizes(wheels: Wheel[]): { fetched: number; unpacked: number };
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

const WRITE_WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as wheel:
    wheel.writestr('inside/lib/' + sys.argv[2], sys.argv[3])
    wheel.writestr('inside/lib/libunneeded.so', 'not asked for')
`;

describe('The CUDA set-up', () => {
  let folder: string;
  let target: string;
  let install: Install;

  before(async () => (install = await loadSetUp<Install>('cuda-install')));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lantang-cuda-'));
    target = join(folder, 'lib');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A wheel of one library, in `folder`, as the table would list it. */
  function writeWheel(name: string): Wheel {
    const file = `${name}-1.0-py3-none-any.whl`;
    const library = `lib${name}.so.1`;
    const content = `${name} `.repeat(1000);
    execFileSync('python3', ['-c', WRITE_WHEEL, join(folder, file), library, content]);
    const archive = readFileSync(join(folder, file));
    return {
      ...{ name, version: '1.0', file, bytes: archive.length, sha256: sha256(archive), folder: 'inside/lib' },
      libraries: { [library]: sha256(content) },
      unpackedBytes: content.length,
    };
  }

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('pins every wheel and every library by SHA-256, once each, the runtime last', async () => {
    const { CUDA_WHEELS } = await loadSetUp<{ CUDA_WHEELS: Wheel[] }>('cuda-wheels');
    const libraries = CUDA_WHEELS.flatMap((wheel) => Object.entries(wheel.libraries));
    const hashes = [...CUDA_WHEELS.map((wheel) => wheel.sha256), ...libraries.map(([, hash]) => hash)];
    for (const hash of hashes) expect(hash).to.match(/^[0-9a-f]{64}$/);
    expect(new Set(hashes)).to.have.lengthOf(hashes.length);
    expect(new Set(libraries.map(([name]) => name))).to.have.lengthOf(libraries.length);
    expect(libraries.at(-1)?.[0]).to.match(/^libonnxruntime\.so\.[\d.]+$/);
    for (const wheel of CUDA_WHEELS) {
      expect(wheel.file).to.match(new RegExp(`^${wheel.name.replaceAll('-', '_')}-${wheel.version}-`));
    }
  });

  it('takes from wheels in a folder only what is needed, and leaves them there', async () => {
    const wheels = [writeWheel('one'), writeWheel('two')];
    await install.installFrom(folder, wheels, target);
    expect(readdirSync(target).sort()).to.deep.equal(['libone.so.1', 'libtwo.so.1']);
    expect(readFileSync(join(target, 'libone.so.1'), 'utf8')).to.equal('one '.repeat(1000));
    expect(wheels.every(({ file }) => existsSync(join(folder, file)))).to.be.true;
    expect(await install.missingWheels(wheels, target)).to.deep.equal([]);
  });

  it('asks again for what is damaged or gone, and for nothing else', async () => {
    const wheels = [writeWheel('one'), writeWheel('two'), writeWheel('three')];
    await install.installFrom(folder, wheels, target);
    writeFileSync(join(target, 'libone.so.1'), 'damaged');
    rmSync(join(target, 'libthree.so.1'));
    const missing = await install.missingWheels(wheels, target);
    expect(missing.map(({ name }) => name)).to.deep.equal(['one', 'three']);
    expect(install.sizes(missing).unpacked).to.equal(4000 + 6000);
  });

  it('refuses a wheel of another content before it unpacks anything', async () => {
    const wheel = writeWheel('one');
    writeFileSync(join(folder, wheel.file), 'something else');
    const message = await failureOf(install.installFrom(folder, [wheel], target));
    expect(message).to.contain(`one 1.0 has SHA-256 ${sha256('something else')}, expected ${wheel.sha256}.`);
    expect(readdirSync(target)).to.deep.equal([]);
  });

  it('refuses a library of another content, and puts none in its place', async () => {
    const wheel = writeWheel('one');
    const otherwise = { ...wheel, libraries: { 'libone.so.1': sha256('another library') } };
    const message = await failureOf(install.installFrom(folder, [otherwise], target));
    expect(message).to.contain('libone.so.1 has SHA-256');
    expect(existsSync(join(target, 'libone.so.1'))).to.be.false;
  });

  it('names the wheels that an offline folder lacks, before it touches anything', async () => {
    const wheels = [writeWheel('one'), writeWheel('two')];
    rmSync(join(folder, wheels[1]!.file));
    const message = await failureOf(install.installFrom(folder, wheels, target));
    expect(message).to.contain(wheels[1]!.file).and.to.contain(wheels[1]!.sha256);
    expect(message).to.not.contain(wheels[0]!.file);
    expect(existsSync(target)).to.be.false;
  });

  it('takes the room that it needs into account', async () => {
    const wheel = { ...writeWheel('one'), unpackedBytes: 1e18 };
    const message = await failureOf(install.installFrom(folder, [wheel], target));
    expect(message).to.match(/needs 1000000000\.00 GB free, and has \d+\.\d\d GB\.$/);
  });

  it('does not fetch what is there: a run over whole wheels goes on where it was', async () => {
    const { fetchWheels } = await loadSetUp<{ fetchWheels: (wheels: Wheel[], to: string) => Promise<void> }>(
      'cuda-install',
    );
    mkdirSync(target);
    const wheel = writeWheel('no-such-package-anywhere');
    await fetchWheels([wheel], folder);
    expect(sha256(readFileSync(join(folder, wheel.file)))).to.equal(wheel.sha256);
  });
});

describe('Why a GPU does not open', () => {
  let explain: (failure: { code: string; message: string }, driver?: string) => string;

  before(async () => {
    ({ explainFailure: explain } = await loadSetUp<{ explainFailure: typeof explain }>('cuda-diagnosis'));
  });

  const unavailable = (message: string) => ({ code: 'device_unavailable', message });
  const noDriverLibrary = unavailable('Failed to load library x.so with error: libcuda.so.1: cannot open');

  for (const [what, failure, driver, says] of [
    ['no driver', noDriverLibrary, undefined, /no NVIDIA driver.*580\.65 or newer/],
    ['a container without GPUs', noDriverLibrary, '590.1', /590\.1 is loaded.*docker run --gpus all/],
    [
      'an old driver',
      unavailable('CUDA failure 35: driver version is insufficient'),
      '535.2',
      /535\.2 is too old/,
    ],
    [
      'an old driver that fails otherwise',
      unavailable('some failure'),
      '570.133.20',
      /570\.133\.20 is too old/,
    ],
    ['a driver of unknown age', unavailable('CUDA failure 35: insufficient'), undefined, /driver is too old/],
    ['a hidden GPU', unavailable('no CUDA-capable device is detected'), '590.1', /CUDA_VISIBLE_DEVICES/],
    ['an old GPU', unavailable('no kernel image is available'), '590.1', /GPU is too old/],
    [
      'full memory',
      { code: 'out_of_memory', message: 'CUDA failure 2' },
      '590.1',
      /memory ran out.*CUDA failure 2/,
    ],
    [
      'a system library',
      unavailable('libz.so.1: cannot open shared'),
      '590.1',
      /library libz\.so\.1 is missing/,
    ],
    ['anything else', unavailable('Something new.'), '590.1', /^Something new\.$/],
  ] as const) {
    it(`names ${what}`, () => expect(explain(failure, driver)).to.match(says));
  }
});
