import type { Language } from './language.js';

/**
 * Letters to be read by their names. espeak-ng reads letters joined by full stops as one word with one main stress,
 * which is how acronyms are said; a letter alone is read by name when it stands in capitals.
 */
export function spell(letters: string, { letterNames }: Pick<Language, 'letterNames'>): string {
  const capitals = Array.from(letters.toUpperCase());
  if (capitals.length === 1) return letterNames.get(capitals[0]!) ?? capitals[0]!;
  return capitals.join('.');
}

/** Letters by name and digits one by one, whatever else stands between them dropped. */
export function spellOut(text: string, language: Pick<Language, 'letterNames' | 'digitNames'>): string {
  return Array.from(text.matchAll(/\p{L}\p{M}*|\d/gu), ([character]) =>
    /\d/.test(character) ? language.digitNames[Number(character)]! : spell(character, language),
  ).join(' ');
}

const ONSET =
  /^(?:[b-df-hj-np-tv-z]?|[bcfgkps]l|[bcdfgkpt]r|[ckpstw]h|s[ckmnpqtw]|s[ckpt]r|[dt]w|qu|kn|ng|ny|sy|thr|chr|shr|schl?)$/;
const CODA =
  /^(?:[b-df-hj-np-tv-z]?|([bdfgklmnprst])\1|ck|ct|ft|pt|xt|[lr][bcdfgkmnpst]|n[cdgkst]|m[bp]|s[hkmpt]|[cgpt]h|[bdfgklmnprtw]s|tch|nch|rch|nks|cts|sts|ngs|rld|rst|ght)$/;

/** Whether an English or Indonesian speaker could say the letters as a word. */
export function isPronounceable(letters: string): boolean {
  const word = letters.toLowerCase();
  const [, onset, inside, coda] =
    /^([^aeiouy]*y?(?=[aeiouy])|)([aeiouy](?:.*[aeiouy])?)([^aeiouy]*)$/.exec(word) ?? [];
  if (onset === undefined || !ONSET.test(onset) || !CODA.test(coda!)) return false;
  return !/[^aeiouy]{4}|[aeiou]{3}|^aa|^ii|^uu/.test(inside!);
}
