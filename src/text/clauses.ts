import type { Grammar } from './normalise/rules.js';
import { grammarOf } from './normalise/rules.js';
import { sayAs } from './normalise/say-as.js';
import {
  NEUTRAL,
  type Cue,
  type Emphasis,
  type Prosody,
  type Run,
  type Script,
  type Style,
} from './script.js';
import { sentencesOf, type Closing, type SentenceSpan } from './sentences.js';
import { tokensOf, tokensOfWords, type Mark, type Token } from './tokens.js';

/** A word as it is said, with its place in the source. */
export interface Word {
  /** For the phonemizer; IPA when `isIpa`. */
  text: string;
  isIpa: boolean;
  /** UTF-16 offsets into the source, end exclusive. */
  start: number;
  end: number;
  /** BCP 47 where markup says so. */
  language: string | undefined;
  emphasis: Emphasis | undefined;
}

/** Words between two marks of punctuation, in one prosody: what the phonemizer is asked at once. */
export interface Clause {
  words: Word[];
  /** What follows the words; undefined where a clause was only cut for its length or its prosody. */
  mark: Mark | undefined;
  prosody: Prosody;
  /** Seconds that a <break> asks for; undefined leaves the pause to the punctuation. */
  breakBefore: number | undefined;
  breakAfter: number | undefined;
  /** SSML's <mark>s, each with the index of the word before which it stands; the number of words is the end. */
  cues: { name: string; word: number }[];
}

export interface Sentence {
  /** As submitted. */
  text: string;
  /** UTF-16 offsets into the source, end exclusive. */
  start: number;
  end: number;
  clauses: Clause[];
  closing: Closing;
}

/** espeak-ng takes 800 bytes of a clause at most; four bytes a character is the worst case. */
const LONGEST_CLAUSE = 190;
const MOST_WORDS = 40;

const STRENGTH: Record<Exclude<Mark, '.'>, number> = { ',': 1, ':': 2, ';': 3, '!': 4, '?': 5 };

/** Sentences that have something to say, one after another; `language` is the voice's own. */
export function* readScript(script: Script, language: string): Generator<Sentence> {
  const cues = new CueQueue(script.cues);
  let previous: Sentence | undefined;
  for (const span of sentencesOf(script, grammarOf(language))) {
    const clauses = readClauses(script, span, language, cues, previous);
    if (clauses.length === 0) continue;
    if (previous) yield previous;
    previous = sentenceOf(script, span, clauses);
  }
  if (!previous) return;
  cues.takeInto(Infinity, previous.clauses.at(-1)!);
  yield previous;
}

function sentenceOf({ source, text }: Script, span: SentenceSpan, clauses: Clause[]): Sentence {
  const start = text.startOf(span.start);
  const end = text.endOf(span.end - 1);
  return { text: source.slice(start, end), start, end, clauses, closing: span.closing };
}

function readClauses(
  script: Script,
  span: SentenceSpan,
  language: string,
  cues: CueQueue,
  previous: Sentence | undefined,
): Clause[] {
  const composer = new Composer(script, cues, previous?.clauses.at(-1));
  for (const run of runsWithin(script.runs, span)) {
    const grammar = grammarOf(run.style.language ?? language);
    for (const token of tokensOfRun(script.text.text, run, grammar)) composer.add(token, run);
  }
  return composer.finish(span.end);
}

/** The parts of the runs that lie in the span; what is read as a whole is not cut. */
function runsWithin(runs: readonly Run[], { start, end }: SentenceSpan): Run[] {
  const parts: Run[] = [];
  for (let index = firstEndingAfter(runs, start); index < runs.length && runs[index]!.start < end; index++) {
    const run = runs[index]!;
    if (run.reading) parts.push(run);
    else parts.push({ ...run, start: Math.max(run.start, start), end: Math.min(run.end, end) });
  }
  return parts;
}

function firstEndingAfter(runs: readonly Run[], at: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.end > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function tokensOfRun(text: string, run: Run, grammar: Grammar): Token[] {
  const { start, end, reading } = run;
  const written = text.slice(start, end);
  const whole = (tokens: Token[]) => tokens.map((token) => ({ ...token, start, end }));
  if (reading?.kind === 'ipa') return [{ kind: 'word', text: reading.phonemes, start, end }];
  if (reading?.kind === 'alias') return whole(tokensOf(reading.text, grammar));
  if (reading?.kind === 'sayAs') {
    const words = sayAs(written, reading.interpretAs, reading.format, grammar);
    if (words !== undefined) return tokensOfWords(words, start, end);
  }
  return tokensOf(written, grammar).map((token) => ({
    ...token,
    start: token.start + start,
    end: token.end + start,
  }));
}

/** The script's <break>s and <mark>s, taken from the front as the reading goes on. */
class CueQueue {
  private next = 0;

  constructor(private readonly cues: readonly Cue[]) {}

  /** Those that stand at or before a place. */
  *take(until: number): Generator<Extract<Cue, { kind: 'break' | 'mark' }>> {
    for (; this.next < this.cues.length && this.cues[this.next]!.at <= until; this.next++) {
      const cue = this.cues[this.next]!;
      if (cue.kind === 'break' || cue.kind === 'mark') yield cue;
    }
  }

  /** All up to a place, after the clause's last word. */
  takeInto(until: number, clause: Clause): void {
    for (const cue of this.take(until)) {
      if (cue.kind === 'mark') clause.cues.push({ name: cue.name, word: clause.words.length });
      else clause.breakAfter = (clause.breakAfter ?? 0) + cue.seconds;
    }
  }
}

/** Makes clauses of tokens. */
class Composer {
  private readonly clauses: Clause[] = [];
  private current: Clause = emptyClause(NEUTRAL);
  private characters = 0;
  /** The strongest mark since the last word, but for full stops. */
  private mark: Exclude<Mark, '.'> | undefined;
  /** Whether there was a full stop since the last word. Inside a sentence it belongs to an abbreviation. */
  private hasStop = false;

  constructor(
    private readonly script: Script,
    private readonly cues: CueQueue,
    /** The clause before this sentence: a <break> between the two belongs to it. */
    private readonly before: Clause | undefined,
  ) {}

  add(token: Token, run: Run): void {
    if (token.kind === 'mark') return this.addMark(token.mark);
    if (this.mark) this.close(this.mark);
    this.hasStop = false;
    this.takeCues(token.start, run.style);
    this.makeRoom(token.text, run.style);
    this.current.words.push(this.wordOf(token, run));
    this.characters += token.text.length + 1;
  }

  /** The clauses, the last one closed as a sentence is; none when there was no word. */
  finish(end: number): Clause[] {
    const last = this.current.words.length > 0 ? this.current : this.clauses.at(-1);
    if (!last) return [];
    const mark = this.lastMark(end);
    if (last === this.current) this.close(mark ?? '.');
    else last.mark = mark ?? last.mark ?? '.';
    this.cues.takeInto(end, last);
    return this.clauses;
  }

  private addMark(mark: Mark): void {
    if (mark === '.') this.hasStop = true;
    else if (!this.mark || STRENGTH[mark] > STRENGTH[this.mark]) this.mark = mark;
  }

  /** A question or exclamation mark, else a full stop, else the rest; a bracket or dash at the end is no comma. */
  private lastMark(end: number): Mark | undefined {
    const { mark } = this;
    if (mark === '?' || mark === '!') return mark;
    if (this.hasStop) return '.';
    return mark === ',' && this.script.text.text[end - 1] !== ',' ? undefined : mark;
  }

  private takeCues(at: number, style: Style): void {
    for (const cue of this.cues.take(at)) {
      if (cue.kind === 'mark') this.current.cues.push({ name: cue.name, word: this.current.words.length });
      else this.takeBreak(cue.seconds, style);
    }
  }

  private takeBreak(seconds: number, style: Style): void {
    if (this.current.words.length > 0) this.close(',');
    const last = this.clauses.at(-1) ?? this.before;
    if (last) last.breakAfter = (last.breakAfter ?? 0) + seconds;
    else
      this.current = {
        ...this.current,
        prosody: style.prosody,
        breakBefore: (this.current.breakBefore ?? 0) + seconds,
      };
  }

  /** A word in another prosody, or one too many, begins a clause. */
  private makeRoom(word: string, { prosody }: Style): void {
    const isFull = this.characters + word.length > LONGEST_CLAUSE || this.current.words.length >= MOST_WORDS;
    if (this.current.words.length > 0 && (isFull || !sameProsody(prosody, this.current.prosody)))
      this.close(undefined);
    this.current.prosody = prosody;
  }

  private close(mark: Mark | undefined): void {
    if (this.current.words.length > 0) {
      this.current.mark = mark;
      this.clauses.push(this.current);
      this.current = emptyClause(NEUTRAL);
    }
    this.characters = 0;
    this.mark = undefined;
    this.hasStop = false;
  }

  private wordOf({ text, start, end }: Token & { kind: 'word' }, { style, reading }: Run): Word {
    return {
      text,
      isIpa: reading?.kind === 'ipa',
      start: this.script.text.startOf(start),
      end: this.script.text.endOf(end - 1),
      language: style.language,
      emphasis: style.emphasis,
    };
  }
}

function emptyClause({ prosody }: Style): Clause {
  return { words: [], mark: undefined, prosody, breakBefore: undefined, breakAfter: undefined, cues: [] };
}

export function sameProsody(a: Prosody, b: Prosody): boolean {
  return a === b || (a.rate === b.rate && a.pitch === b.pitch && a.volume === b.volume);
}
