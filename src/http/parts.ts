import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.js';
import type { AudioFormatName } from '../audio/format.js';
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

/** What of the audio can be made now. */
export interface AudioAbilities {
  formats(): AudioFormatName[];
  shiftsPitch(): boolean;
}

/** Whether the service can do its work, and why not. */
export interface Readiness {
  ready: boolean;
  checks: { name: string; ok: boolean; message?: string }[];
}

export interface Health {
  readiness(): Readiness | Promise<Readiness>;
}

/** Told of every request. */
export interface RequestObserver {
  began(): void;
  answered(request: {
    method: string;
    /** The path of the route as it is documented; absent where none matched. */
    route: string | undefined;
    /** Absent where the client left before an answer began. */
    status: number | undefined;
    seconds: number;
  }): void;
}

export interface MetricsSource {
  contentType: string;
  text(): Promise<string>;
}

export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** Everything that the HTTP room is built from. */
export interface AppParts {
  jobs: Jobs;
  accounts: Pick<Accounts, 'authenticate' | 'spend' | 'refund'>;
  artifacts: Pick<ArtifactStore, 'open'>;
  catalogue: ModelCatalogue;
  speaker: Speaker;
  abilities: AudioAbilities;
  health: Health;
  requests?: RequestObserver;
  metrics?: MetricsSource;
  /** The first signs. */
  signingKeys: SigningKeys;
  settings: Settings;
  log: Logger;
  /** Milliseconds since the epoch; tests set it. */
  now?: () => number;
}
