import type { Claim, Rule } from './rule.js';

/**
 * What is said otherwise than it is written, in order and without overlap. Rules go in the order of their list, and a
 * rule never sees a match that touches what an earlier one has claimed; all of them see the text as it was written.
 */
export function normalise(text: string, rules: readonly Rule[]): Claim[] {
  const taken = new Uint8Array(text.length);
  const claims: Claim[] = [];
  const hasFigures = /\d/.test(text);
  for (const rule of rules) {
    if (rule.needsFigures && !hasFigures) continue;
    for (const claim of claimsOf(rule, text, taken)) {
      taken.fill(1, claim.start, claim.end);
      claims.push(claim);
    }
  }
  return claims.sort((a, b) => a.start - b.start);
}

function* claimsOf(rule: Rule, text: string, taken: Uint8Array): Generator<Claim> {
  const { pattern } = rule;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    const words = isFree(taken, start, end) ? rule.read(match) : undefined;
    if (words !== undefined && end > start) yield { start, end, words };
    if (end === start) pattern.lastIndex = end + 1;
  }
}

function isFree(taken: Uint8Array, start: number, end: number): boolean {
  for (let unit = start; unit < end; unit++) if (taken[unit]) return false;
  return true;
}
