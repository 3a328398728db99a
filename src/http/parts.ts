import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.js';
import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { SigningKey } from '../artifacts/signed-url.js';
import type { Settings } from '../config.js';
import type { Jobs } from '../jobs/job.js';
import type { Speaker } from '../speech/speech.js';
import type { VoiceModel } from '../voices/voice.js';

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

export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** Everything that the HTTP room is built from. */
export interface AppParts {
  jobs: Jobs;
  accounts: Pick<Accounts, 'authenticate' | 'spend' | 'refund'>;
  artifacts: Pick<ArtifactStore, 'open'>;
  catalogue: ModelCatalogue;
  speaker: Speaker;
  health: Health;
  /** The first signs. */
  signingKeys: SigningKeys;
  settings: Settings;
  log: Logger;
  /** Milliseconds since the epoch; tests set it. */
  now?: () => number;
}
