import type { VoiceText } from '../voices/voice.js';
import { sameProsody, type Clause, type Sentence } from './clauses.js';
import { cut, type Piece } from './cut.js';
import { pauseAfter } from './pauses.js';
import type { Pronunciation } from './pronounce.js';
import { rowOf, type Row } from './row.js';
import type { Segment, Utterance } from './utterance.js';

const START = '^';
const PAD = '_';
const END = '$';
/** Networks were taught sentences; much longer segments would only be slower to begin. About 18 seconds. */
const COMFORTABLE_IDS = 512;
const MARKS = new Set(['.', '?', '!', ',', ':', ';', ' ']);

/** Ids of the symbols, with every symbol that the voice lacks counted. */
class Symbols {
  private readonly pad: readonly number[];
  private readonly start: readonly number[];
  private readonly end: readonly number[];

  constructor(private readonly idMap: VoiceText['idMap']) {
    this.pad = idMap.get(PAD) ?? [];
    this.start = [...(idMap.get(START) ?? []), ...this.pad];
    this.end = idMap.get(END) ?? [];
  }

  /** Ids that frame every segment. */
  get frame(): number {
    return this.start.length + this.end.length;
  }

  /** Number of ids before each symbol, and of all. */
  offsets(symbols: readonly string[]): Float64Array {
    const offsets = new Float64Array(symbols.length + 1);
    symbols.forEach((symbol, index) => {
      const ids = this.idMap.get(symbol);
      offsets[index + 1] = offsets[index]! + (ids ? ids.length + this.pad.length : 0);
    });
    return offsets;
  }

  /** `^ _ p _ … $`. */
  encode(symbols: readonly string[]): Int32Array {
    const ids = [...this.start];
    for (const symbol of symbols) {
      const own = this.idMap.get(symbol);
      if (own) ids.push(...own, ...this.pad);
    }
    ids.push(...this.end);
    return Int32Array.from(ids);
  }

  /** Ids of the start, before the first symbol. */
  get lead(): number {
    return this.start.length;
  }

  lacks(symbol: string): boolean {
    return !this.idMap.has(symbol) && !MARKS.has(symbol);
  }
}

/** Collects an utterance's segments, sentence after sentence. */
export class Segmenter {
  readonly utterance: Utterance = { segments: [], sentences: [], spokenCharacters: 0, skipped: new Map() };
  private readonly symbols: Symbols;
  private readonly limit: number;
  private isFirst = true;

  /** `firstSegmentCharacters`: the first segment ends at the first border between clauses after so many. */
  constructor(
    voice: VoiceText,
    private readonly firstSegmentCharacters: number | undefined,
  ) {
    this.symbols = new Symbols(voice.idMap);
    this.limit = Math.max(Math.min(voice.maxIds, COMFORTABLE_IDS) - this.symbols.frame, 1);
  }

  add(sentence: Sentence, pronunciations: readonly Pronunciation[]): void {
    const { segments, sentences } = this.utterance;
    const before = segments.length;
    let from = 0;
    for (const until of rowEnds(sentence.clauses)) {
      const clauses = sentence.clauses.slice(from, until);
      const isLast = until === sentence.clauses.length;
      this.addRow(clauses, pronunciations.slice(from, until), isLast ? sentence : undefined);
      from = until;
    }
    if (segments.length > before)
      sentences.push({ text: sentence.text, start: sentence.start, end: sentence.end });
  }

  /** `ending` is the sentence that the clauses end. */
  private addRow(
    clauses: readonly Clause[],
    pronunciations: readonly Pronunciation[],
    ending?: Sentence,
  ): void {
    const row = rowOf(clauses, pronunciations);
    for (const symbol of row.symbols) this.countSkipped(symbol);
    const offsets = this.symbols.offsets(row.symbols);
    const first = clauses[0]!;
    const last = clauses.at(-1)!;
    const pieces = this.piecesOf(row, offsets).filter(({ from, until }) => offsets[until]! > offsets[from]!);
    pieces.forEach((piece, index) => {
      const isLast = index === pieces.length - 1;
      this.utterance.segments.push({
        ...this.segmentOf(row, piece, offsets, isLast),
        prosody: { ...first.prosody },
        pauseBefore: index === 0 ? (first.breakBefore ?? 0) : 0,
        pauseAfter: isLast
          ? (last.breakAfter ?? pauseAfter(last.mark, ending?.closing))
          : pauseAfter(piece.mark, undefined),
      });
    });
  }

  private countSkipped(symbol: string): void {
    if (!this.symbols.lacks(symbol)) return;
    this.utterance.skipped.set(symbol, (this.utterance.skipped.get(symbol) ?? 0) + 1);
  }

  private piecesOf(row: Row, offsets: Float64Array): Piece[] {
    const early = this.isFirst ? this.earlyEnd(row) : undefined;
    this.isFirst = false;
    const end = row.symbols.length;
    if (early === undefined) return cut(row, 0, end, offsets, this.limit);
    return [...cut(row, 0, early, offsets, this.limit), ...cut(row, early, end, offsets, this.limit)];
  }

  /** The first border between clauses that leaves enough characters before it. */
  private earlyEnd({ words, borders }: Row): number | undefined {
    const enough = this.firstSegmentCharacters;
    if (enough === undefined || words.length === 0) return undefined;
    const begin = words[0]!.start;
    const reached = words.find(({ end }) => end - begin >= enough);
    return reached && borders.find(({ at }) => at >= reached.until)?.at;
  }

  private segmentOf(
    row: Row,
    piece: Piece,
    offsets: Float64Array,
    isLast: boolean,
  ): Pick<Segment, 'ids' | 'sentence' | 'words' | 'marks'> {
    const { from } = piece;
    const until = withoutTrailingSpace(row.symbols, piece);
    const ids = this.symbols.encode(row.symbols.slice(from, until));
    const idAt = (symbol: number) => {
      const within = Math.min(Math.max(symbol, from), until);
      return this.symbols.lead + offsets[within]! - offsets[from]!;
    };
    return {
      ids,
      sentence: this.utterance.sentences.length,
      words: wordsOf(row, from, until, idAt),
      marks: row.cues
        .filter(({ at }) => at >= from && (at < piece.until || isLast))
        .map(({ name, at }) => ({ name, id: idAt(at) })),
    };
  }
}

/** Ends of the longest stretches of clauses that may be spoken in one breath: same prosody, no break between them. */
function rowEnds(clauses: readonly Clause[]): number[] {
  const ends: number[] = [];
  clauses.forEach((clause, index) => {
    const next = clauses[index + 1];
    if (!next || clause.breakAfter !== undefined || !sameProsody(clause.prosody, next.prosody))
      ends.push(index + 1);
  });
  return ends;
}

function withoutTrailingSpace(symbols: readonly string[], { from, until }: Piece): number {
  return until > from + 1 && symbols[until - 1] === ' ' ? until - 1 : until;
}

/** What was written as one word is one, however many were said for it. */
function wordsOf(
  { words }: Row,
  from: number,
  until: number,
  idAt: (symbol: number) => number,
): Segment['words'] {
  const result: Segment['words'] = [];
  for (
    let index = firstEndingAfter(words, from);
    index < words.length && words[index]!.from < until;
    index++
  ) {
    const { start, end, ...symbols } = words[index]!;
    const last = result.at(-1);
    const endId = idAt(symbols.until);
    if (last?.start === start && last.end === end) last.endId = endId;
    else result.push({ start, end, firstId: idAt(symbols.from), endId });
  }
  return result;
}

function firstEndingAfter(words: Row['words'], symbol: number): number {
  const found = words.findIndex(({ until }) => until > symbol);
  return found === -1 ? words.length : found;
}
