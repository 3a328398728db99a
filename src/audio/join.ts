import { RELATIVE, SpeechEdges } from './speech-edges.js';
import { concat, fadeIn, fadeOut, fromDecibels } from './waveform.js';

export interface JoinerOptions {
  sampleRate: number;
  /** Linear factor that will bring the voice to the common loudness: a quiet voice's silence is quieter. */
  gain?: number;
}

/** Seconds of silence that the text asks for around a segment. */
export interface Pauses {
  pauseBefore: number;
  pauseAfter: number;
}

/** Where a segment came to lie in the output, in samples at the voice's rate. */
export interface Landing {
  /** Where the segment's sample 0 lands, or would: negative when the first segment's lead was cut. */
  offset: number;
  /** The segment's own length. */
  length: number;
  /** Where its speech starts and ends in the output; equal in a segment that is all silence. */
  start: number;
  end: number;
}

/** Most natural silence, in seconds, that is kept before and after speech. */
const LEAD = 0.05;
const TAIL = 0.1;
/** Shortest gap, in seconds, between the speech of two segments: room for their fades. */
const SHORTEST_GAP = 0.02;
/** Seconds over which the edges of a segment rise and fall; also what is held back of speech that may end here. */
const FADE = 0.005;
/** RMS, in decibels of full scale at the common loudness, under which there is surely no speech. */
const SILENCE = -56;
/** What a segment must exceed to be searched for speech that is softer than that. */
const NOTHING = -80;

/**
 * Joins the segments of one utterance in order. The silence that a network leaves at the edges of a segment is
 * measured and replaced by the pause that the text asks for: between the speech of two segments lies exactly
 * `pauseAfter` + `pauseBefore` of silence (at least 20 ms), the first segment's lead is cut to 50 ms (or filled up
 * to its `pauseBefore`) and the last one's tail to 100 ms. What silence is kept is the voice's own, faded.
 *
 * Segments may come in pieces, `begin` (`push`)* `end`, and then `finish`; each call gives what may be delivered. Only
 * silence that may be a segment's last, and 5 ms before it, are held back.
 */
export class Joiner {
  readonly #sampleRate: number;
  readonly #silence: number;
  readonly #nothing: number;
  readonly #fade: number;
  /** Samples delivered. */
  #position = 0;
  /** The end of the speech before, from its last `FADE` on; empty before any speech. */
  #tail: Float32Array = new Float32Array(0);
  /** Samples of silence asked for since the last speech. */
  #gap = 0;
  #segment: OpenSegment | undefined;

  constructor({ sampleRate, gain = 1 }: JoinerOptions) {
    this.#sampleRate = sampleRate;
    this.#silence = fromDecibels(SILENCE) / gain;
    this.#nothing = fromDecibels(NOTHING) / gain;
    this.#fade = this.#samples(FADE);
  }

  begin(pauses: Pauses): void {
    if (this.#segment) throw new TypeError('Expected end() of the segment before begin() of the next.');
    this.#gap += this.#samples(pauses.pauseBefore);
    this.#segment = new OpenSegment(pauses, new SpeechEdges(this.#sampleRate, this.#silence));
  }

  /** The next samples of the segment; gives what may be delivered, in pieces. They are views: nothing is copied. */
  push(samples: Float32Array): Float32Array[] {
    const segment = this.#open();
    segment.push(samples);
    return this.#deliver(segment);
  }

  /** No more samples of the segment; gives what may be delivered, and where the segment landed. */
  end(): { samples: Float32Array[]; landing: Landing } {
    const segment = this.#open();
    this.#segment = undefined;
    if (segment.edges.start === undefined) this.#listenCloser(segment);
    const samples = this.#deliver(segment);
    if (segment.edges.start !== undefined) this.#keepTail(segment);
    const landing = this.#landing(segment);
    this.#gap += this.#samples(segment.pauses.pauseAfter);
    return { samples, landing };
  }

  /** The end of the last segment. An utterance without any speech becomes the silence it asks for. */
  finish(): Float32Array {
    const nothing = this.#position === 0 && this.#tail.length === 0;
    if (nothing) return new Float32Array(Math.max(this.#gap, this.#samples(LEAD + TAIL)));
    return fadeOut(this.#tail, this.#fade);
  }

  #open(): OpenSegment {
    if (!this.#segment) throw new TypeError('Expected begin() before the samples of a segment.');
    return this.#segment;
  }

  /** A whole segment under the threshold may still be speech, only soft: what is loud in it is asked of itself. */
  #listenCloser(segment: OpenSegment): void {
    const loudest = segment.edges.loudest;
    if (loudest < this.#nothing) return;
    const edges = new SpeechEdges(this.#sampleRate, loudest * RELATIVE);
    edges.push(segment.held);
    segment.edges = edges;
  }

  #deliver(segment: OpenSegment): Float32Array[] {
    const { start, end } = segment.edges;
    if (start === undefined) return [];
    const before = segment.landedAt === undefined ? this.#joint(segment, start) : [];
    const pieces = [...before, segment.take(end - this.#fade - segment.taken)];
    for (const { length } of pieces) this.#position += length;
    return pieces.filter(({ length }) => length > 0);
  }

  /** From the last speech to where this segment's fade has risen. */
  #joint(segment: OpenSegment, start: number): Float32Array[] {
    const first = this.#tail.length === 0;
    const gap = first ? this.#gap : Math.max(this.#gap, this.#samples(SHORTEST_GAP));
    const lead = Math.min(start, this.#samples(LEAD), first ? Infinity : Math.floor(gap / 3));
    const tail = Math.max(0, Math.min(this.#tail.length - this.#fade, Math.floor((gap * 2) / 3)));
    const ending = fadeOut(this.#tail.subarray(0, this.#fade + tail), this.#fade);
    const silence = new Float32Array(Math.max(0, gap - tail - lead));
    segment.take(start - lead);
    segment.landedAt = this.#position + ending.length + silence.length - (start - lead);
    this.#gap = 0;
    return [ending, silence, fadeIn(segment.take(this.#fade), this.#fade)];
  }

  #keepTail(segment: OpenSegment): void {
    const natural = segment.edges.end + this.#samples(TAIL) - segment.taken;
    this.#tail = segment.take(natural).slice();
  }

  #landing({ landedAt, length, edges }: OpenSegment): Landing {
    const offset = landedAt ?? this.#position + this.#tail.length + this.#gap;
    const start = edges.start ?? 0;
    return { offset, length, start: offset + start, end: offset + Math.max(start, edges.end) };
  }

  #samples(seconds: number): number {
    return Math.round(seconds * this.#sampleRate);
  }
}

/** The segment that is coming in: what of it is not yet delivered, and where its speech lies. */
class OpenSegment {
  held: Float32Array = new Float32Array(0);
  /** Samples given out or cut away. */
  taken = 0;
  /** Where its sample 0 lands in the output; known once speech has started. */
  landedAt: number | undefined;

  constructor(
    readonly pauses: Pauses,
    public edges: SpeechEdges,
  ) {}

  get length(): number {
    return this.taken + this.held.length;
  }

  push(samples: Float32Array): void {
    this.held = this.held.length === 0 ? samples : concat([this.held, samples]);
    this.edges.push(samples);
  }

  take(count: number): Float32Array {
    const taken = this.held.subarray(0, Math.max(0, count));
    this.held = this.held.subarray(taken.length);
    this.taken += taken.length;
    return taken;
  }
}
