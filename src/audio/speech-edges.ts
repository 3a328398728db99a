/** Seconds over which energy is measured. */
const BLOCK = 0.005;
/** Blocks in a row that must be loud before silence ends: a lone click is not speech. */
const RUN = 3;

/**
 * Finds where speech starts and where it has last been heard in one stream of mono samples.
 *
 * A block of 5 ms is loud when its RMS exceeds the threshold: the greater of an absolute one and of 44 dB below the
 * loudest block so far, so that a voice that breathes noise in its pauses still has pauses.
 */
export class SpeechEdges {
  readonly #block: number;
  readonly #least: number;
  #loudest = 0;
  #energy = 0;
  #filled = 0;
  #position = 0;
  #run = 0;
  #start: number | undefined;
  #end = 0;

  /** `least` is the RMS under which a block is silent whatever stands around it. */
  constructor(sampleRate: number, least: number) {
    this.#block = Math.max(1, Math.round(sampleRate * BLOCK));
    this.#least = least;
  }

  push(samples: Float32Array): void {
    for (let at = 0; at < samples.length;) {
      const end = Math.min(samples.length, at + this.#block - this.#filled);
      this.#energy += energy(samples, at, end);
      this.#filled += end - at;
      at = end;
      if (this.#filled === this.#block) this.#close();
    }
  }

  /** Sample at which speech starts; undefined while there was none. */
  get start(): number | undefined {
    return this.#start;
  }

  /** Sample after the last one of speech so far. */
  get end(): number {
    return this.#end;
  }

  /** RMS of the loudest block so far. */
  get loudest(): number {
    return this.#loudest;
  }

  #close(): void {
    const rms = Math.sqrt(this.#energy / this.#block);
    this.#position += this.#block;
    this.#energy = 0;
    this.#filled = 0;
    this.#loudest = Math.max(this.#loudest, rms);
    this.#run = rms > Math.max(this.#least, this.#loudest * RELATIVE) ? this.#run + 1 : 0;
    if (this.#run < RUN) return;
    this.#start ??= this.#position - this.#run * this.#block;
    this.#end = this.#position;
  }
}

/** A loop over an index, as one over the iterator takes three times as long, and this runs for every sample. */
function energy(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += samples[i]! * samples[i]!;
  return sum;
}

/** −44 dB: weak consonants lie 30 to 40 dB under the loudest vowel. */
export const RELATIVE = 10 ** (-44 / 20);
