import type { Connection } from './connection.js';
import { fold } from './fold.js';
import {
  BLOCK,
  blockOf,
  decode,
  encodePositions,
  intersect,
  restrict,
  SeqSet,
  type Bitmap,
} from './seq-set.js';

/** A number for every term. A code point has 21 bits, so a pair has 42, and users come after all pairs. */
const CODE_POINTS = 2 ** 21;
const USERS = 2 ** 42;
const BLOCK_BITS = 43n;

/** The lists of one block, one after the other in `bytes`; the list of `terms[i]` ends before `ends[i]`. */
export interface PackedBlock {
  block: number;
  terms: Float64Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Where the list of a term in a block lies in the table; SQLite's integers have 64 bits. */
export function postingId(block: number, term: number): bigint {
  return (BigInt(block) << BLOCK_BITS) + BigInt(term);
}

export function userTerm(user: number): number {
  return USERS + user;
}

/** The term that finds a folded phrase of one or two characters. */
function phraseTerm(folded: string): number {
  const [first, second] = Array.from(folded, (character) => character.codePointAt(0)!);
  return second === undefined ? first! : first! * CODE_POINTS + second;
}

/** Blocks that are packed, from the first job on. */
export function packedBlocks(connection: Connection): number {
  return connection.get<{ blocks: number }>('SELECT blocks FROM postings_progress')!.blocks;
}

/** Reads a block's texts and makes its lists: about 10 µs a text. */
export function packBlock(connection: Connection, block: number): PackedBlock {
  const rows = connection.all<{ seq: number; text: string }>(
    'SELECT seq, text FROM jobs WHERE seq BETWEEN ? AND ? AND archived_at IS NULL ORDER BY seq',
    block * BLOCK,
    (block + 1) * BLOCK - 1,
  );
  const positions = new Map<number, number[]>();
  for (const { seq, text } of rows) noteTerms(fold(text), seq % BLOCK, positions);
  // In the order of the table, which then only grows at its end.
  const terms = Float64Array.from(positions.keys()).sort();
  const lists = Array.from(terms, (term) => encodePositions(positions.get(term)!));
  let end = 0;
  const ends = Uint32Array.from(lists, (list) => (end += list.length));
  return { block, terms, ends, bytes: joined(lists, end) };
}

/** Notes a job under each character of its text and each pair, once. */
function noteTerms(folded: string, position: number, positions: Map<number, number[]>): void {
  const note = (term: number): void => {
    const known = positions.get(term);
    if (known === undefined) positions.set(term, [position]);
    else if (known.at(-1) !== position) known.push(position);
  };
  let before = 0;
  for (let at = 0; at < folded.length; at += before >= 0x10000 ? 2 : 1) {
    const code = folded.codePointAt(at)!;
    note(code);
    if (at > 0) note(before * CODE_POINTS + code);
    before = code;
  }
}

function joined(lists: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const list of lists) {
    bytes.set(list, at);
    at += list.length;
  }
  return bytes;
}

/** Some of a user's listed jobs: those from `first` to `last`, by number. */
export interface Span {
  user: number;
  first: number;
  last: number;
}

/**
 * The user's listed jobs, all or those whose texts hold a folded phrase of one or two characters: out of the lists as
 * far as they are packed, and after that out of the jobs themselves.
 */
export function findListed(connection: Connection, { user, first, last }: Span, folded?: string): SeqSet {
  const blocks = packedBlocks(connection);
  const found = new SeqSet();
  const term = folded === undefined ? undefined : phraseTerm(folded);
  for (let block = blockOf(first); block < blocks && block <= blockOf(last); block += 1) {
    const listed = read(connection, block, userTerm(user));
    const holding = listed && term !== undefined ? read(connection, block, term) : listed;
    if (listed && holding)
      found.put(block, restrict(intersect(listed, holding), first - block * BLOCK, last - block * BLOCK));
  }
  const sql = `SELECT seq FROM jobs INDEXED BY jobs_by_time
    WHERE user = ? AND archived_at IS NULL AND seq BETWEEN ? AND ? ${folded === undefined ? '' : 'AND contains(text, ?)'}`;
  const phrase = folded === undefined ? [] : [folded];
  const unpacked = connection.all<{ seq: number }>(
    sql,
    user,
    Math.max(first, blocks * BLOCK),
    last,
    ...phrase,
  );
  for (const { seq } of unpacked) found.add(seq);
  return found;
}

function read(connection: Connection, block: number, term: number): Bitmap | undefined {
  const sql = 'SELECT jobs FROM postings WHERE id = ?';
  const row = connection.get<{ jobs: Buffer }>(sql, postingId(block, term));
  return row && decode(row.jobs);
}
