import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from './config.js';

/** The program's own folder, where package.json lies; this file runs from dist/src. */
const PROGRAM = new URL('../../', import.meta.url);

/** Where everything lies that outlives the process. */
export interface Places {
  /** Voices that come with the program. */
  embeddedVoices: string;
  /** Voices that were added. */
  addedVoices: string;
  preparedVoices: string;
  /** What was measured of this machine. */
  tuning: string;
  database: string;
  audio: string;
  signingKeys: string;
  /** Segments that were spoken before; may be emptied when nothing runs. */
  segments: string;
  /** For files in the making; may be emptied when nothing runs. */
  scratch: string;
  /** ONNX Runtime's CUDA build with its libraries, where `npm run setup:cuda` has brought them. */
  cudaLibraries: string;
}

export function placesOf({ dataDir, modelsDir }: Pick<Settings, 'dataDir' | 'modelsDir'>): Places {
  return {
    embeddedVoices: fileURLToPath(new URL('models', PROGRAM)),
    addedVoices: modelsDir ?? join(dataDir, 'voices'),
    preparedVoices: join(dataDir, 'prepared'),
    tuning: join(dataDir, 'tuning'),
    database: join(dataDir, 'lantang.db'),
    audio: join(dataDir, 'audio'),
    signingKeys: join(dataDir, 'signing-keys.json'),
    segments: join(dataDir, 'segments'),
    scratch: join(dataDir, 'scratch'),
    cudaLibraries: join(dataDir, 'cuda', 'lib'),
  };
}

/** As package.json tells it. */
export const programVersion = (
  JSON.parse(readFileSync(new URL('package.json', PROGRAM), 'utf8')) as { version: string }
).version;
