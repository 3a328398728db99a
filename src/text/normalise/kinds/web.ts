import type { Language } from '../language.js';
import { readDigits } from '../numbers.js';
import type { Rule } from '../rule.js';
import { isPronounceable, spell } from '../spelling.js';

/** Longer addresses are told by their host alone, as a person would. */
const LONGEST_READ = 80;

const TOP_LEVEL =
  '(?:com|org|net|edu|gov|mil|int|info|biz|name|dev|app|xyz|shop|store|online|site|tech|blog|cloud|io|ai|co|id|uk|us|' +
  'de|fr|nl|jp|cn|au|ca|sg|eu|tv|ac|go|or|sch|web)';
const EXTENSION =
  '(?:txt|pdf|docx?|xlsx?|pptx?|csv|json|xml|html?|css|js|ts|jsx|tsx|py|rb|rs|go|java|cpp|hpp|sh|md|yml|yaml|zip|tar|' +
  'gz|png|jpe?g|gif|svg|mp[34]|wav|ogg|exe|dll|log|sql|db|onnx|NET|net)';
/** Where a sentence goes on after an address, the stop or bracket is the sentence's. */
const LAST = '[^\\s<>".,;:!?\'()\\[\\]]';
const LABELS = '(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\\.){1,5}';
const NOT_INSIDE = '(?<![\\p{L}\\p{N}@.\\-/_])';

/** Figures and letters mixed, or the same one throughout: other runs of six are words or numbers. */
const HEX_COLOUR =
  '(?:(?=[0-9A-Fa-f]{0,7}\\d)(?=[0-9A-Fa-f]{0,7}[A-Fa-f])(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})|([Ff0])\\1{5}|([Ff0])\\2\\2)';

/** Two letters that are said as a word when they stand in an address. */
const SHORT_WORDS = new Set(
  'my go we is it in to do be so up on of or at no hi an as by he if me co'.split(' '),
);

/** Addresses, e-mail, domains, file names, handles, hashtags and Markdown links. */
export function web(language: Language): Rule[] {
  const read = (match: RegExpExecArray) => readAddress(match[0], language);
  const rule = (name: string, source: string, reader = read): Rule => ({
    name,
    pattern: new RegExp(source, 'gu'),
    read: reader,
  });
  return [
    rule('markdown link', '\\]\\([^\\s()]{1,500}\\)', () => ''),
    rule('url', `(?<![\\p{L}\\p{N}])(?:https?|ftp|HTTPS?)://[^\\s<>"]{0,2000}${LAST}/?`),
    rule('web host', `(?<![\\p{L}\\p{N}@.])[Ww]{3}\\.[^\\s<>"]{0,500}${LAST}/?`),
    rule(
      'e-mail',
      `(?<![\\p{L}\\p{N}@._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@${LABELS}[A-Za-z]{2,12}(?![\\p{L}\\p{N}])`,
    ),
    rule('domain', `${NOT_INSIDE}${LABELS}${TOP_LEVEL}(?![\\p{L}\\p{N}-])(?:[/?][^\\s<>"]{0,500}${LAST}/?)?`),
    rule(
      'file',
      `${NOT_INSIDE}\\.{0,1}[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,60}\\.${EXTENSION}(?![\\p{L}\\p{N}])`,
    ),
    rule('handle', '(?<![\\p{L}\\p{N}.@_])@[A-Za-z_][A-Za-z0-9_]{0,30}'),
    rule(
      'colour',
      `(?<![\\p{L}\\p{N}&#])#(?:${HEX_COLOUR}|(?<=colou?r[ :]{1,2}#)[0-9A-Fa-f]{6})(?![\\p{L}\\p{N}_])`,
      ([written]) => `${language.words.hash} ${readHexadecimal(written.slice(1), language)}`,
    ),
    rule(
      'hashtag',
      '(?<![\\p{L}\\p{N}&#])#(?:\\d{1,4}(?=\\p{L}{3}))?[\\p{L}_][\\p{L}\\p{N}_]{0,99}',
      (match) => readHashtag(match[0], language),
    ),
  ];
}

export function readAddress(address: string, language: Language): string {
  const bare = address
    .replace(/^(?:https?|ftp):\/\//i, '')
    .replace(/^www\.(?=[^.]{1,100}\.)/i, '')
    .replace(/\/$/, '');
  const told = bare.length > LONGEST_READ ? bare.replace(/[/?#][^]*$/, '') : bare;
  const parts = told.match(/\p{L}[\p{L}\p{M}]*|\d+|[^\p{L}\d]/gu) ?? [];
  return parts
    .map((part, index) => readPart(part, language, parts[index - 1] === '.' && index === parts.length - 1))
    .filter((words) => words !== '')
    .join(' ');
}

function readHexadecimal(written: string, language: Language): string {
  const runs = written.match(/[A-Fa-f]+|\d+/g) ?? [];
  return runs.map((run) => (/\d/.test(run) ? readDigits(run, language) : spell(run, language))).join(' ');
}

function readPart(part: string, language: Language, isLast: boolean): string {
  if (/\d/.test(part)) return readRun(part, language);
  if (/\p{L}/u.test(part)) return readLabel(part, language, isLast);
  return nameOfSign(part, language) ?? '';
}

/** Years and small numbers as such, other digits one by one. */
function readRun(digits: string, language: Language): string {
  if (/^(?:19|20)\d\d$/.test(digits)) return language.year(digits);
  return /^[1-9]\d?$/.test(digits) ? language.cardinal(digits) : readDigits(digits, language);
}

function readLabel(label: string, language: Language, isLast: boolean): string {
  const lower = label.toLowerCase();
  if (isLast && label.length === 2 && lower !== 'co') return spell(label, language);
  if (label.length === 2) return SHORT_WORDS.has(lower) ? lower : spell(label, language);
  return label.length > 5 || /[^\p{ASCII}]|..*[aeiouy]|[aeiouy]../iu.test(label)
    ? label
    : spell(label, language);
}

function nameOfSign(sign: string, { words }: Language): string | undefined {
  const names: Record<string, string> = {
    '.': words.dot,
    '-': words.dash,
    '/': words.slash,
    _: words.underscore,
    '@': words.at,
    ':': words.colon,
    '?': words.questionMark,
    '=': words.equals,
    '&': words.and,
    '+': words.plus,
    '#': words.hashtag,
    '%': words.percent,
    '~': words.tilde,
  };
  return names[sign];
}

/** "#ThrowbackThursday2024" → "hashtag Throwback Thursday twenty twenty-four". */
function readHashtag(tag: string, language: Language): string {
  const parts = tag.slice(1).match(/\p{Lu}{2,30}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{L}\p{M}*|\d+/gu) ?? [];
  const words = parts.map((part) => {
    if (/^[1-9]\d{0,2}$/.test(part)) return language.cardinal(part);
    if (/\d/.test(part)) return readRun(part, language);
    return /^\p{Lu}+$/u.test(part) && !isPronounceable(part) ? spell(part, language) : part;
  });
  return [language.words.hashtag, ...words].join(' ');
}
