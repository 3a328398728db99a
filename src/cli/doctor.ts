import { statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { readSettings, unknownVariables, type Settings } from '../config.js';
import { LantangError } from '../errors.js';
import { makeDataFolder } from '../folders.js';
import { loadAddon } from '../inference/binding.js';
import { openLog } from '../log.js';
import { localName } from '../model-names.js';
import { placesOf } from '../places.js';
import { checkSqlite } from '../store/sqlite/maintenance.js';
import { openStudio, runtimeOf, type Studio } from '../studio.js';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Look at what is installed, and speak one sentence through the whole path.')
    .action(doctor);
}

async function doctor(): Promise<void> {
  const report = new Report();
  const settings = await report.check('settings', () => checkSettings());
  if (settings) await examine(settings.settings, report);
  process.exitCode = report.faults > 0 ? 1 : 0;
  console.log(report.faults > 0 ? `\n${report.faults} to mend.` : '\nAll is well.');
}

async function examine(settings: Settings, report: Report): Promise<void> {
  if (!(await report.check('data directory', () => checkDataDirectory(settings)))) return;
  await report.check('database', () => checkDatabase(settings));
  const runtime = await report.check('onnx runtime', () => checkRuntime(settings));
  if (!runtime) return;
  const opened = await report.check('engine', () => checkEngine(settings));
  if (!opened) return;
  const { studio } = opened;
  try {
    for (const provider of ['cuda', 'webgpu'] as const) {
      await report.look(provider, () => checkProvider(studio, provider));
    }
    await report.check('ffmpeg', () => checkFfmpeg(studio));
    await report.check('voices', () => checkVoices(studio));
    await report.check('speech', () => checkSpeech(studio, settings));
  } finally {
    await studio.close();
  }
}

/** What a check found: a line for the person, and perhaps something for the checks after it. */
interface Finding {
  says: string;
}

/** Prints each finding as it is made, and counts what is wrong. */
class Report {
  faults = 0;

  /** A failure is a fault, and its message says what to do. */
  async check<Found extends Finding>(
    name: string,
    look: () => Found | Promise<Found>,
  ): Promise<Found | undefined> {
    try {
      const found = await look();
      this.#print('ok', name, found.says);
      return found;
    } catch (error) {
      this.faults += 1;
      this.#print('✗', name, error instanceof LantangError ? error.message : String(error));
      return undefined;
    }
  }

  /** A failure is worth knowing, not a fault: this machine can do without. */
  async look(name: string, look: () => Finding | Promise<Finding>): Promise<void> {
    try {
      this.#print('ok', name, (await look()).says);
    } catch (error) {
      this.#print('–', name, (error as Error).message);
    }
  }

  #print(sign: string, name: string, says: string): void {
    console.log(`${sign.padEnd(3)} ${name.padEnd(15)} ${says}`);
  }
}

function checkSettings(): Finding & { settings: Settings } {
  const settings = readSettings();
  const unknown = unknownVariables();
  const says =
    unknown.length > 0 ? `no such settings: ${unknown.join(', ')}` : `Node ${process.versions.node}`;
  return { settings, says };
}

async function checkDataDirectory({ dataDir }: Settings): Promise<Finding> {
  makeDataFolder(dataDir);
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / 1e9;
  return {
    says: `${dataDir}, ${free < 1 ? `${(free * 1000).toFixed(0)} MB` : `${free.toFixed(0)} GB`} free`,
  };
}

function checkDatabase(settings: Settings): Finding {
  const { database } = placesOf(settings);
  if (!existsSync(database)) return { says: 'none yet; the first start makes it' };
  const problems = checkSqlite(database);
  if (problems.length === 0) return { says: 'every page is sound' };
  throw new LantangError('store_corrupt', problems.join(' '));
}

function checkRuntime(settings: Settings): Finding {
  const { version, providers } = loadAddon().openRuntime({ libraryPath: runtimeOf(settings) });
  const names = providers.map((name) => name.replace('ExecutionProvider', ''));
  return { says: `${version}; built for ${names.join(', ')}` };
}

async function checkEngine(settings: Settings): Promise<Finding & { studio: Studio }> {
  const studio = await openStudio({ ...settings, segmentCache: 'off' }, openLog('silent'));
  const devices = studio.devices.map(({ device, lanes }) => `${device.provider} × ${lanes}`);
  return { studio, says: `lanes: ${devices.join(', ')}` };
}

/** A provider that the library names may still lack its own libraries: only a session that opens counts. */
function checkProvider({ catalogue }: Studio, provider: 'cuda' | 'webgpu'): Finding {
  const voice = catalogue.voices()[0];
  if (!voice) throw new LantangError('voice_not_found', 'There is no voice to try it with.');
  const { directory, manifest } = voice;
  try {
    loadAddon()
      .load({ directory, manifest, device: { provider, deviceId: 0 } })
      .close();
    return { says: 'a session opens' };
  } catch (error) {
    const lacks = /lib[\w.-]+\.so[\w.]*(?=: cannot open)/.exec((error as Error).message)?.[0];
    throw new LantangError(
      'device_unavailable',
      lacks ? `not here: ${lacks} is not installed` : 'not here: no session opens',
      { cause: error },
    );
  }
}

function checkFfmpeg({ encoders }: Studio): Finding {
  const shortcomings = encoders.shortcomings();
  if (shortcomings !== undefined) throw new LantangError('ffmpeg_missing', shortcomings);
  const { version } = encoders.capabilities();
  return { says: `${version}; makes ${encoders.formats().join(', ')} and any pitch` };
}

async function checkVoices({ catalogue }: Studio): Promise<Finding> {
  await catalogue.prepareAll();
  const broken = catalogue.broken().map(({ name, reason }) => `${name}: ${reason}`);
  if (broken.length > 0) throw new LantangError('voice_invalid', broken.join(' '));
  return {
    says: catalogue
      .models()
      .map(({ name }) => name)
      .join(', '),
  };
}

async function checkSpeech({ speaker }: Studio, settings: Settings): Promise<Finding> {
  const began = performance.now();
  const speech = speaker.speak(
    {
      input: { kind: 'text', content: 'Everything that I say passes through the whole house.' },
      model: localName(settings.defaultVoice, settings),
      ...{ pitch: 0, tempo: 1, seed: 0 },
      format: 'wav',
      sampleRate: 48000,
    },
    { priority: 'interactive', user: 'doctor', streaming: false },
  );
  const bytes = [];
  for await (const piece of speech.bytes) bytes.push(piece);
  const { duration } = await speech.result;
  requireSound(Buffer.concat(bytes));
  const milliseconds = Math.round(performance.now() - began);
  return { says: `${duration.toFixed(2)} s of audio in ${milliseconds} ms` };
}

/** Silence is what a voice that does not fit its settings gives. */
function requireSound(wav: Buffer): void {
  const samples = new Int16Array(Uint8Array.from(wav.subarray(44)).buffer.slice(0, (wav.length - 44) & ~1));
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  if (loudest > 1000) return;
  throw new LantangError(
    'voice_invalid',
    'The default voice speaks, but nothing can be heard: try another voice.',
  );
}
