import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

/** What stands at the beginning of a line and structures it: "1. First", "- item", "## Title". */
export function lineMarkers(language: Language): Rule[] {
  return [
    {
      name: 'list number',
      pattern: /(?<=^\s{0,20})(\d{1,3})[.)](?=\s+\p{L})/gu,
      read: ([, digits]) => `${language.cardinal(digits!)},`,
    },
    { name: 'bullet', pattern: /(?<=^\s{0,20})(?:[-*•‣◦▪–+]|#{1,6}|>)(?=\s)/gu, read: () => '' },
  ];
}
