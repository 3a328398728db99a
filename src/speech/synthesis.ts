import { inOnePiece } from '../audio/waveform.js';
import type { Row } from '../inference/binding.js';
import type { RowSpeaker } from '../inference/row-speaker.js';
import type { Segment, Utterance } from '../text/utterance.js';
import type { Voice, VoiceModel } from '../voices/voice.js';
import { inOrder } from './ahead.js';
import type { SpeakOptions, SpeechRequest } from './speech.js';

/** Segments of one utterance that may wait or run at the same time: enough to keep every lane of a machine busy. */
const SEGMENTS_AHEAD = 16;
/** Frames of a streamed segment's first piece, and of the next ones: short, then economical. */
const WINDOWS = { firstFrames: 32, windowFrames: 128 };

/** A segment's samples at the voice's rate, whole or in pieces as they are made. */
export interface SpokenSegment {
  segment: Segment;
  pieces: AsyncIterable<Float32Array>;
  /** Known once `pieces` has ended. */
  outcome: () => { durations: Int32Array | undefined; queued: number; inferred: number };
}

/** Speaks the segments of an utterance, several at once, and gives them in order. */
export function synthesize(
  synthesizer: RowSpeaker,
  { voice, model }: { voice: Voice; model: VoiceModel },
  utterance: Utterance,
  request: Pick<SpeechRequest, 'tempo' | 'seed'>,
  options: SpeakOptions,
): AsyncGenerator<SpokenSegment> {
  const speak = async (segment: Segment): Promise<SpokenSegment> => {
    const row = rowOf(segment, voice, model, request);
    // Only what is heard first gains by leaving in pieces; all else is ready before it is due.
    const first = segment === utterance.segments[0];
    return options.streaming && first
      ? streamed(synthesizer, voice, segment, row, options)
      : whole(synthesizer, voice, segment, row, options);
  };
  return inOrder(utterance.segments, SEGMENTS_AHEAD, speak);
}

function rowOf(
  segment: Segment,
  voice: Voice,
  model: VoiceModel,
  { tempo, seed }: Pick<SpeechRequest, 'tempo' | 'seed'>,
): Row {
  const { noiseScale, noiseW, lengthScale } = voice.scales;
  return {
    ids: segment.ids,
    lengthScale: Math.min(10, lengthScale / (tempo * segment.prosody.rate)),
    noiseScale,
    noiseW,
    speaker: model.speaker,
    seed,
  };
}

async function whole(
  synthesizer: RowSpeaker,
  voice: Voice,
  segment: Segment,
  row: Row,
  options: SpeakOptions,
): Promise<SpokenSegment> {
  const { samples, durations, queued, inferred } = await synthesizer.synthesize(voice, row, options);
  return {
    segment,
    pieces: inOnePiece(samples),
    outcome: () => ({ durations, queued, inferred }),
  };
}

function streamed(
  synthesizer: RowSpeaker,
  voice: Voice,
  segment: Segment,
  row: Row,
  options: SpeakOptions,
): SpokenSegment {
  const stream = synthesizer.stream(voice, row, WINDOWS, options);
  return { segment, pieces: stream.pieces, outcome: () => stream.outcome() };
}
