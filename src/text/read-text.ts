import { readScript, type Clause, type Sentence } from './clauses.js';
import { plainScript, type Script } from './script.js';
import { readSsml } from './ssml/read-ssml.js';
import type { SpeechInput } from './utterance.js';

/** What a text looks like before it becomes phonemes. */
export interface ReadSentence extends Sentence {
  /** The words that are said, with the marks that the voice is told. */
  words: string;
}

/** How long a text may be is decided where it is admitted. */
export function scriptOf(input: SpeechInput): Script {
  return input.kind === 'ssml' ? readSsml(input.content) : plainScript(input.content);
}

/** What will be read, sentence by sentence; needs no voice. Throws `ssml_invalid`. */
export function readText(input: SpeechInput, language: string): ReadSentence[] {
  return Array.from(readScript(scriptOf(input), language), (sentence) => ({
    ...sentence,
    words: sentence.clauses.map(clauseWords).join(' '),
  }));
}

function clauseWords({ words, mark }: Clause): string {
  return words.map((word) => word.text).join(' ') + (mark ?? '');
}
