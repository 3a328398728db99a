import { availableParallelism } from 'node:os';
import { LantangError } from './errors.js';
import {
  aliases,
  boolean,
  bytes,
  choice,
  integer,
  list,
  number,
  optional,
  secret,
  text,
  webAddress,
  type Kind,
} from './config-kinds.js';

/** One thing that an operator can set. */
interface Setting<T> {
  variable: string;
  kind: Kind<T>;
  fallback: T;
  /** What the README says when the default depends on the machine. */
  fallbackText?: string;
  /** A sentence without a full stop, with the unit where there is one. */
  meaning: string;
}

function setting<T>(
  variable: string,
  kind: Kind<T>,
  fallback: T,
  meaning: string,
  fallbackText?: string,
): Setting<T> {
  return { variable, kind, fallback, meaning, ...(fallbackText === undefined ? {} : { fallbackText }) };
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const SEGMENT_CACHES = ['shared', 'per-user', 'off'] as const;
const METRICS_ACCESS = ['local', 'key', 'open', 'off'] as const;
const DAY_SECONDS = 86_400;
const MEGABYTE = 1024 ** 2;

/** Every setting once. The order is the README's. */
const SETTINGS = {
  host: setting('LANTANG_HOST', text(), '127.0.0.1', 'Address to listen on'),
  port: setting(
    'LANTANG_PORT',
    integer(0, 65_535),
    8080,
    'Port to listen on; 0 takes a free one and prints it',
  ),
  publicUrl: setting(
    'LANTANG_PUBLIC_URL',
    optional(webAddress()),
    undefined,
    'Base of signed URLs as callers reach the service; else taken from the request',
  ),
  trustProxy: setting(
    'LANTANG_TRUST_PROXY',
    boolean(),
    false,
    'Believe `X-Forwarded-*` headers; only behind a proxy that sets them',
  ),
  dataDir: setting(
    'LANTANG_DATA_DIR',
    text(),
    './data',
    'Folder of the database, the audio and prepared voices',
  ),
  modelsDir: setting(
    'LANTANG_MODELS_DIR',
    optional(text()),
    undefined,
    'Folder with more voices, `NAME.onnx` + `NAME.onnx.json`',
  ),
  apiKey: setting(
    'LANTANG_API_KEY',
    optional(secret()),
    undefined,
    'The first API key, at least 16 characters; else the first start makes one and prints it once',
  ),
  defaultVoice: setting(
    'LANTANG_DEFAULT_VOICE',
    text(),
    'aidan',
    'Model that speaks when a request names none',
  ),
  voiceAliases: setting(
    'LANTANG_VOICE_ALIASES',
    aliases(),
    {},
    'Public model names for local ones: `public=local,…`',
  ),
  devices: setting(
    'LANTANG_DEVICES',
    list(),
    ['auto'],
    'Where voices run: `auto`, or a list of `cpu` (a lane a core), `cpu:LANES`, `cuda:GPU`, `cuda:GPUxLANES`, `cuda:GPU+fp16` (vocoders in half precision), `cuda:GPU+graphs` (vocoder runs recorded and replayed), `cuda:GPU+cpu-encoder` (only vocoders on the GPU), `webgpu:0`',
  ),
  onnxruntime: setting(
    'LANTANG_ONNXRUNTIME',
    optional(text()),
    undefined,
    'Path of the ONNX Runtime library; else the one inside the npm package',
  ),
  phonemizers: setting(
    'LANTANG_PHONEMIZERS',
    integer(1, 64),
    Math.min(2, availableParallelism()),
    'Phonemizer processes',
    '2',
  ),
  espeakLibrary: setting(
    'LANTANG_ESPEAK_LIBRARY',
    optional(text()),
    undefined,
    'Path of libespeak-ng; else the system finds it',
  ),
  ffmpeg: setting('LANTANG_FFMPEG', text(), 'ffmpeg', 'The ffmpeg program: a name on the path, or a path'),
  segmentCache: setting(
    'LANTANG_SEGMENT_CACHE',
    choice(SEGMENT_CACHES),
    'shared',
    'Whether a segment that was spoken before is kept to be given again: `shared`, `per-user` (to the same user only) or `off`',
  ),
  segmentCacheMemory: setting(
    'LANTANG_SEGMENT_CACHE_MEMORY',
    bytes(),
    64 * MEGABYTE,
    'Memory of the segment cache, bytes; 0 is none',
    '64MB',
  ),
  segmentCacheDisk: setting(
    'LANTANG_SEGMENT_CACHE_DISK',
    bytes(),
    512 * MEGABYTE,
    'Disk of the segment cache, in the data directory, bytes; 0 is none',
    '512MB',
  ),
  syncWaitSeconds: setting(
    'LANTANG_SYNC_WAIT_SECONDS',
    number(0, 600),
    15,
    'Seconds that a submit with `wait: true` may take before it is answered as it stands',
  ),
  maxWaitCharacters: setting(
    'LANTANG_MAX_WAIT_CHARACTERS',
    integer(1, 1_000_000),
    280,
    'Most characters of a text with `wait: true`',
  ),
  maxCharacters: setting('LANTANG_MAX_CHARACTERS', integer(1, 1_000_000), 5000, 'Most characters of a text'),
  maxSsmlCharacters: setting(
    'LANTANG_MAX_SSML_CHARACTERS',
    integer(1, 2_000_000),
    10_000,
    'Most characters of an SSML document, tags included',
  ),
  bodyLimit: setting(
    'LANTANG_BODY_LIMIT',
    bytes(),
    256 * 1024,
    'Largest request body, bytes (`256KB`, `1MB`)',
    '256KB',
  ),
  bodySeconds: setting(
    'LANTANG_BODY_SECONDS',
    number(1, 600),
    30,
    'Seconds that a client may take to send a whole request',
  ),
  jobsInFlight: setting('LANTANG_JOBS_IN_FLIGHT', integer(1, 1024), 16, 'Jobs in progress at the same time'),
  requestsPerMinute: setting(
    'LANTANG_REQUESTS_PER_MINUTE',
    integer(0, 1_000_000),
    0,
    'Requests a minute that one user may make; 0 is no limit',
  ),
  submitsPerMinute: setting(
    'LANTANG_SUBMITS_PER_MINUTE',
    integer(0, 1_000_000),
    0,
    'Jobs and streams a minute that one user may begin; 0 is no limit',
  ),
  signedUrlSeconds: setting(
    'LANTANG_SIGNED_URL_SECONDS',
    integer(1, 30 * DAY_SECONDS),
    7200,
    'Seconds that a signed URL works',
  ),
  retentionDays: setting(
    'LANTANG_RETENTION_DAYS',
    number(0, 36_500),
    0,
    'Days after which a settled job and its audio are deleted; 0 keeps them',
  ),
  archivedRetentionDays: setting(
    'LANTANG_ARCHIVED_RETENTION_DAYS',
    number(0, 36_500),
    0,
    'Days after which an archived job and its audio are deleted; 0 keeps them',
  ),
  drainSeconds: setting(
    'LANTANG_DRAIN_SECONDS',
    number(0, 3600),
    20,
    'Seconds that a stopping service gives the requests and jobs under way',
  ),
  metrics: setting(
    'LANTANG_METRICS',
    choice(METRICS_ACCESS),
    'local',
    'Who may read `/metrics`: `local` (this machine; others need a key with the scope `admin`), `key` (all need one), `open` (all) or `off`',
  ),
  logLevel: setting('LANTANG_LOG_LEVEL', choice(LOG_LEVELS), 'info', 'Least severe log line that is written'),
} as const;

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The values of all settings, read once when the service starts. */
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

/** Values given by hand (command-line flags, tests): as they are, or as a string in the environment's spelling. */
export type Overrides = { [Name in SettingName]?: Settings[Name] | string | undefined };

const TABLE: [SettingName, Setting<unknown>][] = Object.entries(SETTINGS) as [
  SettingName,
  Setting<unknown>,
][];

/**
 * Overrides first, then the environment, then the defaults; an empty variable counts as absent.
 * Throws `configuration_invalid`, which names every wrong value, not only the first.
 */
export function readSettings(
  overrides: Overrides = {},
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const faults: string[] = [];
  const values = TABLE.map(([name, { variable, kind, fallback }]) => {
    const given = overrides[name] ?? nonEmpty(environment[variable]);
    if (typeof given !== 'string') return [name, given ?? fallback];
    const read = kind.parse(given.trim());
    if ('fault' in read) {
      const found = kind.describe?.(given.trim()) ?? `is "${given}"`;
      faults.push(`${variable} must be ${read.fault}, but ${found}.`);
    }
    return [name, 'value' in read ? read.value : fallback];
  });
  if (faults.length > 0) throw new LantangError('configuration_invalid', faults.join(' '));
  return Object.freeze(Object.fromEntries(values) as Settings);
}

/** Variables that look like settings but are none: most likely misspelt. Those of the tests are left out. */
export function unknownVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = new Set(TABLE.map(([, { variable }]) => variable));
  return Object.keys(environment).filter(
    (name) => name.startsWith('LANTANG_') && !name.startsWith('LANTANG_TEST_') && !known.has(name),
  );
}

/** The README's configuration table, in Markdown. */
export function settingsTable(): string {
  const rows = TABLE.map(
    ([, { variable, kind, fallback, fallbackText, meaning }]) =>
      `| \`${variable}\` | ${fallbackText ?? kind.print(fallback)} | ${meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function nonEmpty(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value;
}
