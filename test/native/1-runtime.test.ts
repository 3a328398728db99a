import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { errorOf, openAddon } from './addon.js';
import { loadAddon } from '../../src/inference/binding.js';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';

const here = dirname(fileURLToPath(import.meta.url));
const embeddedVoice = fileURLToPath(new URL('../../../models/english.onnx', import.meta.url));

/** Runs an ES module in a process of its own, whose runtime is not open yet; answers what it prints. */
function inOwnProcess(script: string, environment: NodeJS.ProcessEnv = process.env): string {
  const imports = [
    `import { loadAddon } from ${JSON.stringify(join(here, '../../src/inference/binding.js'))};`,
    `import { openAddon, row } from ${JSON.stringify(join(here, 'addon.js'))};`,
    `import { publishedEnglish } from ${JSON.stringify(join(here, 'published-voice.js'))};`,
  ];
  const options = { env: environment, encoding: 'utf8' } as const;
  return execFileSync(
    process.execPath,
    ['--input-type=module', '-e', [...imports, script].join('\n')],
    options,
  );
}

describe('native: the runtime', () => {
  it('opens the library and tells its version and providers', () => {
    const { version, providers } = loadAddon().openRuntime({ libraryPath: runtimeLibrary() });
    expect(version).to.match(/^1\.\d+\.\d+$/);
    expect(providers).to.include('CPUExecutionProvider');
  });

  it('opens it once: the same path again is harmless, another one is refused', () => {
    const addon = openAddon();
    const again = addon.openRuntime({ libraryPath: runtimeLibrary() });
    expect(again.version).to.match(/^1\./);
    const error = errorOf('invalid_argument', () => addon.openRuntime({ libraryPath: '/elsewhere.so' }));
    expect(error.message).to.contain('already opened');
  });

  it('names what is wrong with its options', () => {
    const addon = loadAddon();
    const open = addon.openRuntime.bind(addon) as (options: unknown) => unknown;
    expect(errorOf('invalid_argument', () => open(undefined)).message).to.contain('options');
    expect(errorOf('invalid_argument', () => open({})).message).to.contain('options.libraryPath');
    const level = { libraryPath: runtimeLibrary(), logLevel: 'loud' };
    expect(errorOf('invalid_argument', () => open(level)).message).to.contain('options.logLevel');
  });

  it('answers runtime_not_found for a missing file, a text file and another library', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lantang-native-'));
    try {
      const textFile = join(folder, 'text.so');
      writeFileSync(textFile, 'This is no library.');
      for (const path of ['/no/such/libonnxruntime.so', textFile, 'libm.so.6']) {
        const code = inOwnProcess(`
          try { loadAddon().openRuntime({ libraryPath: ${JSON.stringify(path)} }); } catch (error) { console.log(error.code); }`);
        expect(code.trim(), path).to.equal('runtime_not_found');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses to load a voice before it is open', () => {
    const code = inOwnProcess(`
      const request = { directory: '.', manifest: publishedEnglish(), device: { provider: 'cpu' } };
      try { loadAddon().load(request); } catch (error) { console.log(error.code, error.message); }`);
    expect(code).to.match(/^invalid_argument .*openRuntime/);
  });
});

describe('native: no telemetry', () => {
  /*
   * ONNX Runtime's telemetry, when it is on, starts an uploading thread, keeps a device id and events in files, and
   * opens sockets. The child has a home of its own and no CI variable, under which telemetry would stay off by itself.
   */
  const script = `
    import { readdirSync, readlinkSync } from 'node:fs';
    const threads = () => readdirSync('/proc/self/task').length;
    const sockets = () => readdirSync('/proc/self/fd').filter((fd) => {
      try { return readlinkSync('/proc/self/fd/' + fd).startsWith('socket:'); } catch { return false; }
    }).length;
    const before = { threads: threads(), sockets: sockets() };
    const addon = openAddon();
    const manifest = publishedEnglish();
    const voice = addon.load({ directory: process.env.VOICES, manifest, device: { provider: 'cpu' } });
    voice.synthesize([row([1, 0, 20, 0, 30, 0, 2])]);
    const during = { threads: threads(), sockets: sockets() };
    voice.close();
    console.log(JSON.stringify({ before, during }));`;

  it('writes no file, opens no socket and starts no thread', () => {
    const home = mkdtempSync(join(tmpdir(), 'lantang-home-'));
    try {
      const folders = ['home', 'tmp', 'cache', 'config', 'data', 'state'].map((name) => join(home, name));
      for (const folder of folders) mkdirSync(folder);
      const [HOME, TMPDIR, XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME] = folders;
      const environment = { PATH: process.env.PATH, VOICES: dirname(embeddedVoice), HOME, TMPDIR };
      const xdg = { XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME };
      const output = inOwnProcess(script, { ...environment, ...xdg });
      const { before, during } = JSON.parse(output) as Record<'before' | 'during', Record<string, number>>;
      expect(during).to.deep.equal(before);
      for (const folder of folders) expect(readdirSync(folder), folder).to.be.empty;
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('is looked for in a library that has it: the switch is one that the library knows', () => {
    // Should a later library rename the switch, the test above might pass only because CI machines are offline.
    expect(readFileSync(runtimeLibrary()).includes('ORT_DISABLE_TELEMETRY')).to.be.true;
  });
});
