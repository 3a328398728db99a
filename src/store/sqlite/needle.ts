import type { Connection } from './connection.js';
import { fold } from './fold.js';

/** A phrase longer than this is found by its beginning, and compared in full afterwards. */
const LONGEST_PHRASE = 64;
/** The tokenizer knows runs of three characters, so the full-text index can't find shorter ones. */
const SHORTEST_PHRASE = 3;

/**
 * How the jobs whose texts hold a phrase are found: `short` ones in the posting lists; others by a query of the
 * full-text index, which finds the phrase and nothing else (`exact`) or some more texts, each to be compared then.
 */
export type Needle =
  { kind: 'short'; folded: string } | { kind: 'exact' | 'beginning'; folded: string; match: string };

/** True when the phrase is looked up in the full-text index, which must be up to date then. */
export function needsFullText(phrase: string): boolean {
  return [...fold(phrase)].length >= SHORTEST_PHRASE;
}

export function needleFor(connection: Connection, user: number, phrase: string): Needle {
  const folded = fold(phrase);
  const characters = [...folded];
  if (characters.length < SHORTEST_PHRASE) return { kind: 'short', folded };
  const indexed = characters.slice(0, LONGEST_PHRASE).join('').replaceAll('"', '""');
  const inText = `text : "${indexed}"`;
  const match = isAlone(connection, user) ? inText : `owner : "${ownerWord(user)}" AND ${inText}`;
  return { kind: characters.length <= LONGEST_PHRASE ? 'exact' : 'beginning', folded, match };
}

/** True when nobody else has listed jobs: then asking for the owner too only takes time. */
function isAlone(connection: Connection, user: number): boolean {
  const sql = 'SELECT 1 FROM tallies WHERE user <> ? AND jobs > 0 LIMIT 1';
  return connection.get(sql, user) === undefined;
}

/** A user as three characters, digits of base 20,000 out of the CJK block: what the tokenizer makes one word of. */
export function ownerWord(user: number): string {
  const digits = [Math.floor(user / 4e8), Math.floor(user / 20_000) % 20_000, user % 20_000];
  return String.fromCodePoint(...digits.map((digit) => 0x4e00 + digit));
}
