import type { Voice } from '../../voices/voice.js';
import type { DeviceSpec, Row } from '../binding.js';
import { Synthesizer } from '../scheduler.js';
import { secondsNow } from '../shared-clock.js';
import { referenceRows } from './reference-rows.js';
import { laneSetups, limitsOf, type Setting } from './setting.js';

/** What a setting gave in one round. */
export interface Round {
  /** Seconds of audio per second. */
  throughput: number;
  /** 95th percentile of the seconds from asking for a row to having it, as many asked for as can run at once. */
  latency: number;
}

export interface Measured {
  /** By setting, then by round; fewer rounds of those that were far behind in their last one. */
  rounds: Round[][];
  /** Rounds of the first setting run again in every round: how they differ from the first is the noise. */
  again: Round[];
}

export interface MeasureRequest {
  voice: Pick<Voice, 'directory' | 'manifest' | 'text' | 'scales' | 'sampleRate'>;
  device: DeviceSpec;
  libraryPath: string;
  settings: Setting[];
  rounds: number;
}

/**
 * Lets every setting speak the reference rows, in rounds: whatever else the machine does, it does to all of them. The
 * first setting runs twice a round, at its begin and its end.
 */
export async function measureSettings(request: MeasureRequest): Promise<Measured> {
  const contenders = request.settings.map((setting) => new Contender(setting, request));
  const rounds: Round[][] = contenders.map(() => []);
  const again: Round[] = [];
  try {
    for (const contender of contenders) await contender.warmUp();
    const { seconds } = await contenders[0]!.speak();
    for (const contender of contenders) contender.repeatAtLeast(Math.ceil(LEAST_SECONDS / seconds));
    for (let round = 0; round < request.rounds; round++) {
      for (const [index, contender] of contenders.entries()) {
        if (isHopeless(rounds[index]!, rounds[0]!)) continue;
        rounds[index]!.push(roundOf(await contender.speak()));
      }
      again.push(roundOf(await contenders[0]!.speak()));
    }
  } finally {
    for (const contender of contenders) await contender.close();
  }
  return { rounds, again };
}

/** So far behind the first setting, another is not heard again. */
const HOPELESS = 0.75;

function isHopeless(rounds: Round[], first: Round[]): boolean {
  const last = rounds.at(-1);
  return last !== undefined && last.throughput < HOPELESS * first[rounds.length - 1]!.throughput;
}

function roundOf({ throughput, latency }: Round): Round {
  return { throughput, latency };
}

/** So long a round takes at least with the first setting: a shorter one is decided by a moment's chance. */
const LEAST_SECONDS = 0.7;

/** A setting with its lanes. */
class Contender {
  readonly #voice: Voice;
  readonly #device: DeviceSpec;
  readonly #set: Row[];
  #rows: Row[];
  readonly #atOnce: number;
  readonly #synthesizer: Synthesizer;

  constructor(setting: Setting, { voice, device, libraryPath }: MeasureRequest) {
    this.#voice = voice as Voice;
    this.#device = device;
    this.#atOnce = setting.lanes * setting.rows;
    this.#set = referenceRows(voice);
    this.#rows = this.#set;
    this.#synthesizer = new Synthesizer(laneSetups(setting, device, libraryPath), limitsOf(setting));
  }

  /** Loading, and the first run's choices, are not part of any round. */
  async warmUp(): Promise<void> {
    for (const row of [this.#rows[0]!, this.#rows.at(-1)!]) await this.#synthesizer.warm(this.#voice, row);
    // A GPU chooses its algorithms at the first sight of a shape.
    if (this.#device.provider !== 'cpu') await this.speak();
  }

  /** Rounds of so many times the reference rows, or as many more as are in work at once. */
  repeatAtLeast(times: number): void {
    const filling = Math.ceil(this.#atOnce / this.#set.length);
    const repeats = Math.min(Math.max(times, filling), MOST_REPEATS);
    this.#rows = Array.from({ length: repeats }, () => this.#set).flat();
  }

  async speak(): Promise<Round & { seconds: number }> {
    const waiting = [...this.#rows];
    const latencies: number[] = [];
    let samples = 0;
    const began = secondsNow();
    const speakInTurn = async (user: string) => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        const asked = secondsNow();
        const spoken = await this.#synthesizer.synthesize(this.#voice, row, { priority: 'batch', user });
        latencies.push(secondsNow() - asked);
        samples += spoken.samples.length;
      }
    };
    await Promise.all(Array.from({ length: this.#atOnce }, (_, stream) => speakInTurn(`stream ${stream}`)));
    const seconds = secondsNow() - began;
    latencies.sort((a, b) => a - b);
    const latency = latencies[Math.ceil(0.95 * latencies.length) - 1]!;
    return { throughput: samples / this.#voice.sampleRate / seconds, latency, seconds };
  }

  close(): Promise<void> {
    return this.#synthesizer.close();
  }
}

/** A GPU that takes hundreds of rows at once gets no more than so many times the reference rows. */
const MOST_REPEATS = 32;
