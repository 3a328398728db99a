import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

/** Elements that people leave in a text. A tag with attributes is one whatever its name. */
const NAMES =
  'a|abbr|article|b|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|font|footer|form|h[1-6]|head|header|' +
  'hr|html|i|img|ins|kbd|label|li|main|mark|nav|ol|p|pre|q|s|samp|script|section|small|span|strike|strong|style|sub|' +
  'sup|svg|table|tbody|td|th|thead|title|tr|tt|u|ul|var|video';

/** HTML in a plain text: tags and comments are not said, the commonest entities are what they stand for. */
export function tags({ words }: Language): Rule[] {
  return [
    {
      name: 'tag',
      pattern: new RegExp(
        `<(?:/?(?:${NAMES})\\s?/?|[A-Za-z][A-Za-z0-9-]{0,30}\\s[A-Za-z-]{1,30}=[^<>]{1,300})>`,
        'giu',
      ),
      read: () => '',
    },
    { name: 'comment', pattern: /<!--[^<>]{0,300}-->/gu, read: () => '' },
    { name: 'space or quote', pattern: /&(?:nbsp|#160|quot|#34);/gu, read: () => '' },
    { name: 'ampersand', pattern: /&amp;/gu, read: () => words.and },
  ];
}
