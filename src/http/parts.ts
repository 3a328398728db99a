import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Settings } from '../config.js';
import type { Jobs } from '../jobs/job.js';
import type { Speaker } from '../speech/speech.js';
import type { VoiceModel } from '../voices/voice.js';
import type { SigningKey } from './signed-url.js';

export type Scope = 'submit' | 'read' | 'admin';

/** Who calls: the user that jobs belong to, and what the key in hand allows. */
export interface Caller {
  user: string;
  keyId: string;
  scopes: readonly Scope[];
}

export interface Accounts {
  /** The caller that a key belongs to; absent when it is unknown, revoked or expired. */
  authenticate(key: string): Caller | undefined;
}

export interface ArtifactStore {
  /** Throws `artifact_not_found`. */
  open(name: string): Promise<{
    /** Bytes. */
    size: number;
    /** The bytes, or those of a range, both ends inclusive. */
    stream: (range?: { start: number; end: number }) => Readable;
  }>;
}

/** The models that are loadable now, as the voices' room tells them. */
export interface ModelCatalogue {
  models(): VoiceModel[];
  /** By local name. */
  find(name: string): VoiceModel | undefined;
}

/** Whether the service can do its work, and why not. */
export interface Readiness {
  ready: boolean;
  checks: { name: string; ok: boolean; message?: string }[];
}

export interface Health {
  readiness(): Readiness | Promise<Readiness>;
}

/** Everything that the HTTP room is built from. */
export interface AppParts {
  jobs: Jobs;
  accounts: Accounts;
  artifacts: ArtifactStore;
  catalogue: ModelCatalogue;
  speaker: Speaker;
  health: Health;
  signingKey: SigningKey;
  settings: Settings;
  log: Logger;
  /** Milliseconds since the epoch; tests set it. */
  now?: () => number;
}
