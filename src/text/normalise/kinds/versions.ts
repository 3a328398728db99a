import type { Language } from '../language.js';
import { readDigits } from '../numbers.js';
import { anyOf, type Rule } from '../rule.js';

/** What a version follows. */
const RELEASED = [
  ...[
    'Android',
    'CUDA',
    'Debian',
    'Django',
    'Java',
    'Kubernetes',
    'Linux',
    'Node',
    'PHP',
    'Perl',
    'Python',
    'Ruby',
  ],
  ...['Ubuntu', 'Windows', 'iOS', 'kernel', 'macOS', 'release', 'version', 'Version', 'versi', 'Versi'],
];

/** "1.2.3", "v2.0", network addresses. */
export function versions(language: Language): Rule[] {
  const { words } = language;
  // English says "one point two"; where the decimal mark is a comma, a full stop is said as what it is.
  const mark = language.decimalMark === '.' ? words.point : words.dot;
  const dotted = (text: string) =>
    text
      .split('.')
      .map((part) => language.cardinal(part))
      .join(` ${mark} `);
  return [
    {
      name: 'network address',
      pattern: /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?(?![\p{L}\p{N}]|\.\d)/gu,
      read: ([written]) => {
        const [address, prefix] = written.split('/');
        const told = address!
          .split(':')
          .map((part) =>
            part
              .split('.')
              .map((byte) => readDigits(byte, language))
              .join(` ${words.dot} `),
          )
          .join(` ${words.colon} `);
        return prefix === undefined ? told : `${told} ${words.slash} ${language.cardinal(prefix)}`;
      },
    },
    {
      name: 'version',
      pattern: /(?<![\p{L}\p{N}.])[vV]\.?\s?(\d{1,5}(?:\.\d{1,5}){0,4})(?![\p{L}\p{N}]|\.\d)/gu,
      read: ([, version]) => `${words.version} ${dotted(version!)}`,
    },
    {
      name: 'release',
      pattern: new RegExp(
        `(?<=(?<!\\p{L})${anyOf(RELEASED)} )\\d{1,4}\\.\\d{1,4}(?![\\p{L}\\p{N}%]|[.,]\\d)`,
        'gu',
      ),
      read: ([version]) => dotted(version),
    },
    {
      name: 'dotted number',
      pattern: /(?<![\p{L}\p{N}.])\d{1,4}(?:\.\d{1,4}){2,4}(?![\p{L}\p{N}]|[.,]\d)/gu,
      read: ([version]) => (isGrouped(version, language) ? undefined : dotted(version)),
    },
  ];
}

/** "1.234.567" is a number where full stops group. */
function isGrouped(written: string, { groupMark }: Language): boolean {
  return groupMark === '.' && /^\d{1,3}(?:\.\d{3})+$/.test(written);
}
