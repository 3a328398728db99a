import { setImmediate as nextTurn } from 'node:timers/promises';
import { LantangError } from '../errors.js';
import type { VoiceText } from '../voices/voice.js';
import { readScript, type Sentence } from './clauses.js';
import { pronounce, type ClausePhonemizer, type Pronunciation } from './pronounce.js';
import { scriptOf } from './read-text.js';
import type { Script } from './script.js';
import { Segmenter } from './segment.js';
import { readSymbols } from './symbols-only.js';
import type { FrontEndOptions, SpeechInput, Utterance } from './utterance.js';

/** Sentences that the phonemizer is asked at once. */
const BATCH_SENTENCES = 16;
/** Longest stretch of work on the main thread before others get their turn. */
const SLICE_MILLISECONDS = 8;

/** An utterance, and how it came about: for people who ask why something is said as it is. */
export interface Explanation {
  utterance: Utterance;
  sentences: { sentence: Sentence; pronunciations: Pronunciation[] }[];
}

/** From a text or SSML to the ids that a voice speaks. */
export class FrontEnd {
  constructor(private readonly phonemizer: ClausePhonemizer) {}

  /**
   * Throws `nothing_to_speak`, `ssml_invalid`, and the phonemizer's errors. A long text is worked on a little at a
   * time; `signal` ends it early.
   */
  async prepare(input: SpeechInput, voice: VoiceText, options: FrontEndOptions = {}): Promise<Utterance> {
    return (await this.explain(input, voice, options)).utterance;
  }

  /** As `prepare`, with everything in between. */
  async explain(input: SpeechInput, voice: VoiceText, options: FrontEndOptions = {}): Promise<Explanation> {
    const pacer = new Pacer(options.signal);
    const script = scriptOf(input);
    const batches = await this.askAsReading(script, voice, pacer, options.signal);
    const segmenter = new Segmenter(voice, options.firstSegmentCharacters);
    const explained: Explanation['sentences'] = [];
    for (const { sentences, pronounced } of batches) {
      const pronunciations = (await pronounced).values();
      for (const sentence of sentences) {
        const own = sentence.clauses.map(() => pronunciations.next().value!);
        segmenter.add(sentence, own);
        explained.push({ sentence, pronunciations: own });
        await pacer.breathe();
      }
    }
    return {
      utterance: finished(segmenter.utterance, script, explained.at(-1)?.sentence),
      sentences: explained,
    };
  }

  /** Reads the whole text; what has been read is with the phonemizer while the rest still is. */
  private async askAsReading(
    script: Script,
    voice: VoiceText,
    pacer: Pacer,
    signal: AbortSignal | undefined,
  ): Promise<Batch[]> {
    const batches: Batch[] = [];
    const send = (sentences: Sentence[]) => {
      const clauses = sentences.flatMap((sentence) => sentence.clauses);
      const pronounced = pronounce(clauses, voice, this.phonemizer, signal);
      pronounced.catch(() => {}); // It is heard when the batch's turn comes, if that ever does.
      batches.push({ sentences, pronounced });
    };
    let waiting: Sentence[] = [];
    for (const sentence of readScript(script, voice.language)) {
      waiting.push(sentence);
      if (waiting.length >= BATCH_SENTENCES) send(waiting.splice(0));
      await pacer.breathe();
    }
    if (batches.length === 0 && waiting.length === 0) waiting = [onlySymbols(script)];
    if (waiting.length > 0) send(waiting);
    return batches;
  }
}

interface Batch {
  sentences: Sentence[];
  pronounced: Promise<Pronunciation[]>;
}

function onlySymbols(script: Script): Sentence {
  const sentence = readSymbols(script);
  if (!sentence) throw nothingToSpeak();
  return sentence;
}

/** After the last segment only a <break> is silence. */
function finished(utterance: Utterance, script: Script, sentence: Sentence | undefined): Utterance {
  const last = utterance.segments.at(-1);
  if (!last) throw nothingToSpeak();
  last.pauseAfter = sentence?.clauses.at(-1)?.breakAfter ?? 0;
  return { ...utterance, spokenCharacters: script.spokenCharacters };
}

function nothingToSpeak(): LantangError {
  return new LantangError(
    'nothing_to_speak',
    'The text has no words, figures or signs that this voice could say.',
  );
}

/** Gives way to others now and then. */
class Pacer {
  private since = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  async breathe(): Promise<void> {
    if (performance.now() - this.since < SLICE_MILLISECONDS) return;
    await nextTurn();
    this.signal?.throwIfAborted();
    this.since = performance.now();
  }
}
