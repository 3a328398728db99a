import { MappedTextBuilder, type MappedText } from './mapped-text.js';

/** Combining marks that one letter may carry; no language needs more, and what writes more is decoration. */
const MOST_MARKS = 6;

const NOTHING_TO_CLEAN = /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;
const CLUSTER = /\r\n|[^\p{M}]\p{M}*|\p{M}+/gsu;
const COMPATIBILITY =
  /[\u2100-\u2101\u2103\u2105-\u2106\u2109\u2116\u3300-\u33ff\ufb00-\ufb06\uff01-\uff9f\u{1d400}-\u{1d7ff}]/u;
const JOINED_SCRIPTS =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}\p{Script=Gujarati}]/u;

/** Characters that are written in many ways and read in one. */
const SAME_READING = new Map(
  Object.entries({
    '\t': ' ',
    '\r': '\n',
    '\r\n': '\n',
    '\u2028': '\n',
    '\u2029': '\n\n',
    '‘': "'",
    '’': "'",
    '‛': "'",
    ʼ: "'",
    '“': '"',
    '”': '"',
    '„': '"',
    '‟': '"',
    '«': '"',
    '»': '"',
    '‹': '"',
    '›': '"',
    '′': "'",
    '″': '"',
    '\u2010': '-',
    '\u2011': '-',
    '\u2012': '–',
    '\u2015': '—',
    '\u2e3a': '—',
    '\u2044': '/',
    '\u2215': '/',
    '。': '.',
    '｡': '.',
    '、': ',',
    '،': ',',
    '؛': ';',
    '؟': '?',
    '।': '.',
    '॥': '.',
    '։': '.',
    '።': '.',
    '፣': ',',
    '・': ' ',
  }),
);

/**
 * The same text as the rest of the front end expects it: one kind of space, quote and line break; letters composed
 * (NFC) with at most six marks; full-width and styled letters made plain; nothing invisible, no control characters,
 * no halves of surrogate pairs.
 */
export function clean(text: MappedText): MappedText {
  if (NOTHING_TO_CLEAN.test(text.text)) return text;
  const out = new MappedTextBuilder();
  for (const match of text.text.matchAll(CLUSTER)) {
    const [cluster] = match;
    const last = match.index + cluster.length - 1;
    out.append(cleanCluster(cluster), text.startOf(match.index), text.endOf(last));
  }
  return out.build();
}

/** One character with its combining marks. */
function cleanCluster(cluster: string): string {
  const same = SAME_READING.get(cluster);
  if (same !== undefined) return same;
  const base = String.fromCodePoint(cluster.codePointAt(0)!);
  const marks = Array.from(cluster.slice(base.length), (mark) => SAME_READING.get(mark) ?? mark);
  if (marks.length === 0) return cleanCharacter(base);
  if (/\p{M}/u.test(base)) return '';
  const kept = marks.filter((mark) => !/\p{Default_Ignorable_Code_Point}|\p{Me}/u.test(mark));
  return (cleanCharacter(base) + kept.slice(0, MOST_MARKS).join('')).normalize('NFC');
}

function cleanCharacter(character: string): string {
  if (character === '\n') return character;
  if (/\p{M}/u.test(character)) return '';
  if (/[\p{Zs}\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u.test(character)) return ' ';
  if (/[\u200c\u200d]/.test(character)) return character;
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return '';
  return COMPATIBILITY.test(character) ? character.normalize('NFKC') : character;
}

/** Joiners mean something between letters of some scripts and nothing elsewhere. */
export function keepsJoiners(word: string): boolean {
  return JOINED_SCRIPTS.test(word);
}
