import type { Logger } from 'pino';
import { EncoderProcess } from './audio/encoder-process.js';
import type { Settings } from './config.js';
import { loadAddon, type Row } from './inference/binding.js';
import { opensOn, type DeviceLanes } from './inference/devices.js';
import { preparer } from './inference/preparer.js';
import { runtimeLibrary } from './inference/runtime-library.js';
import { Synthesizer } from './inference/scheduler.js';
import { planLanes } from './inference/tuning/plan-lanes.js';
import { tune } from './inference/tuning/tune.js';
import { TuningStore } from './inference/tuning/tuning-store.js';
import { placesOf } from './places.js';
import { CachedSynthesizer } from './segment-cache/cached-synthesizer.js';
import { DiskSegments } from './segment-cache/disk-segments.js';
import { engineIdentity, SegmentKeys, type Engine } from './segment-cache/segment-key.js';
import { ScratchFolder } from './scratch-folder.js';
import type { Speaker } from './speech/speech.js';
import { createSpeaker } from './speech/speaker.js';
import { FrontEnd } from './text/front-end.js';
import { PhonemizerPool } from './text/phonemizer-pool.js';
import { requireFolders } from './folders.js';
import { checkModelNames, localName } from './model-names.js';
import { Catalogue } from './voices/catalogue.js';
import type { KnowsEspeakVoice } from './voices/examine.js';
import type { VoicePreparer } from './voices/open-voice.js';
import { referenceIds } from './voices/reference-ids.js';
import type { Voice } from './voices/voice.js';

/** The rooms that make speech, without a server: what the service, the command line and the doctor share. */
export interface Studio {
  speaker: Speaker;
  catalogue: Catalogue;
  /** The lanes themselves. */
  synthesizer: Synthesizer;
  /** What spares them work, unless it is switched off. */
  cache: CachedSynthesizer | undefined;
  encoders: EncoderProcess;
  phonemizers: PhonemizerPool;
  frontEnd: FrontEnd;
  devices: DeviceLanes[];
  /**
   * Set where devices are chosen automatically and were never measured with this voice: does so, which takes the
   * processors for seconds, and keeps what it finds for the next start. False where the machine was too busy to tell.
   */
  measure?: (signal: AbortSignal) => Promise<boolean>;
  /** Loads a voice on every lane and lets it speak once. */
  warm(voice: Voice): Promise<void>;
  close(): Promise<void>;
}

/**
 * Builds them bottom-up: first the processes, since forking from a large process is slow, then what is large. When
 * one of them fails, those that stand are closed again. `model` can speak then, if nothing is thrown; voices that were
 * never prepared wait for it.
 */
export async function openStudio(
  settings: Settings,
  log: Logger,
  model = settings.defaultVoice,
): Promise<Studio> {
  requireFolders(settings);
  const rooms = new Rooms();
  try {
    return await furnish(rooms, settings, log, model);
  } catch (error) {
    await rooms.close();
    throw error;
  }
}

async function furnish(rooms: Rooms, settings: Settings, log: Logger, model: string): Promise<Studio> {
  const encoders = await startEncoders(rooms, settings);
  const phonemizers = await startPhonemizers(rooms, settings);
  const frontEnd = new FrontEnd(phonemizers);
  const catalogue = await readCatalogue(settings, log, (name) => phonemizers.hasVoice(name));
  checkModelNames(settings, catalogue, log);
  const { voice: probe } = await catalogue.obtain(localName(model, settings));
  const libraryPath = runtimeOf(settings);
  const addon = loadAddon();
  const runtime = addon.openRuntime({ libraryPath });
  const store = new TuningStore(placesOf(settings).tuning);
  const { devices, setups, limits, unmeasured } = await planLanes({
    ...{ devices: settings.devices, libraryPath, runtime, voice: probe, store },
    opens: opensOn(addon, probe),
  });
  const synthesizer = rooms.add(new Synthesizer(setups, limits, (sentence) => log.warn(sentence)));
  const engine = { runtimeVersion: runtime.version, devices: setups.map(({ device }) => device) };
  const measure = async (signal: AbortSignal) => {
    const what = { voice: probe, device: unmeasured!, libraryPath, runtime: runtime.version };
    const tuning = await tune({ ...what, rounds: IDLE_ROUNDS, gently: true, signal });
    if (tuning.settled) await store.keep(tuning);
    return tuning.settled;
  };
  const cache = openCache(rooms, synthesizer, engine, settings, log);
  const speaker = createSpeaker({
    frontEnd,
    voices: catalogue,
    synthesizer: cache ?? synthesizer,
    encoders,
    mastering: addon,
  });
  return {
    ...{ speaker, catalogue, synthesizer, cache, encoders, phonemizers, frontEnd, devices },
    ...(unmeasured ? { measure } : {}),
    warm: (voice) => synthesizer.warm(voice, warmUpRow(voice)),
    close: () => rooms.close(),
  };
}

/** For a service alone, which holds the lock of the data directory: other programs switch it off. */
function openCache(
  rooms: Rooms,
  speaker: Synthesizer,
  engine: Engine,
  { segmentCache, segmentCacheMemory, segmentCacheDisk, ...folders }: Settings,
  log: Logger,
): CachedSynthesizer | undefined {
  if (segmentCache === 'off' || segmentCacheMemory + segmentCacheDisk === 0) return undefined;
  const audience = (user: string) => (segmentCache === 'per-user' ? user : '');
  const keys = new SegmentKeys(engineIdentity(engine), audience);
  const warn = (error: unknown) => log.warn({ err: error }, 'the segment cache cannot use its disk for now');
  const disk =
    segmentCacheDisk > 0
      ? rooms.add(new DiskSegments({ folder: placesOf(folders).segments, limit: segmentCacheDisk, warn }))
      : undefined;
  return new CachedSynthesizer({ speaker, keys, memoryLimit: segmentCacheMemory, ...(disk && { disk }) });
}

/** What has been opened, closed in reverse. */
class Rooms {
  readonly #open: { close(): Promise<void> | void }[] = [];

  add<Room extends { close(): Promise<void> | void }>(room: Room): Room {
    this.#open.unshift(room);
    return room;
  }

  async close(): Promise<void> {
    for (const room of this.#open.splice(0)) await room.close();
  }
}

async function startEncoders(rooms: Rooms, settings: Settings): Promise<EncoderProcess> {
  const scratch = rooms.add(new ScratchFolder(placesOf(settings).scratch));
  return rooms.add(
    await EncoderProcess.start({ scratchDirectory: scratch.path, ffmpegPath: settings.ffmpeg }),
  );
}

async function startPhonemizers(rooms: Rooms, settings: Settings): Promise<PhonemizerPool> {
  const { phonemizers, espeakLibrary } = settings;
  const pool = rooms.add(
    new PhonemizerPool({
      size: phonemizers,
      ...(espeakLibrary === undefined ? {} : { library: espeakLibrary }),
    }),
  );
  await pool.ready();
  return pool;
}

/** All voices, prepared, without the other rooms; espeak-ng is asked about them where `knows` is given. */
export async function openCatalogue(
  settings: Settings,
  log: Logger,
  knows?: KnowsEspeakVoice,
): Promise<Catalogue> {
  const catalogue = await readCatalogue(settings, log, knows);
  await catalogue.prepareAll();
  return catalogue;
}

/** All voices as they lie there: those that were never prepared wait. */
export function readCatalogue(settings: Settings, log: Logger, knows?: KnowsEspeakVoice): Promise<Catalogue> {
  const { embeddedVoices, addedVoices } = placesOf(settings);
  return Catalogue.open({
    directories: [embeddedVoices, addedVoices],
    preparer: voicePreparer(settings),
    ...(knows ? { knowsEspeakVoice: knows } : {}),
    report: ({ name, code, reason }) => log.warn({ voice: name, code }, reason),
  });
}

export function voicePreparer(settings: Settings): VoicePreparer {
  return preparer({ folder: placesOf(settings).preparedVoices, libraryPath: runtimeOf(settings) });
}

/** Asks one phonemizer, which goes when the work is done. */
export async function withEspeak<T>(
  { espeakLibrary }: Settings,
  work: (knows: KnowsEspeakVoice) => Promise<T>,
): Promise<T> {
  const pool = new PhonemizerPool(espeakLibrary === undefined ? {} : { library: espeakLibrary });
  try {
    return await work((name) => pool.hasVoice(name));
  } finally {
    await pool.close();
  }
}

/** The runtime that the settings ask for: the CUDA build only where a GPU may be used. */
export function runtimeOf({ onnxruntime, devices, ...folders }: Settings): string {
  const mayUseCuda = devices.some((name) => name === 'auto' || name.startsWith('cuda'));
  return runtimeLibrary(onnxruntime, mayUseCuda ? placesOf(folders).cudaLibraries : undefined);
}

/** Of a measurement that nobody waits for. */
const IDLE_ROUNDS = 3;

/** Of the reference sentence: enough for every stage to run, short enough to be asked for as a sign of life. */
const WARM_UP_SHARE = 0.25;

function warmUpRow(voice: Voice): Row {
  return { ids: referenceIds(voice.text, WARM_UP_SHARE), ...voice.scales, speaker: 0, seed: 0 };
}
