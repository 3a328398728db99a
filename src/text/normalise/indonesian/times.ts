import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

const START = '(?<![\\p{L}\\p{N}:.,/-])';
const COLONS = '\\d{1,2}:[0-5]\\d(?::[0-5]\\d)?';
const STOPS = '\\d{1,2}\\.[0-5]\\d(?:\\.[0-5]\\d)?';
const ANY = `(?:${COLONS}|${STOPS})`;
const UNTIL = '(?:\\s?(?:[-–—]|s\\.d\\.|s/d)\\s?|\\s(?:sampai|hingga)\\s)';
/** "17.30" may be a number too: it is a time where it stands alone or a word of time is near. */
const PAIRS = '((?:[01]\\d|2[0-4])\\.[0-5]\\d)';
const BEFORE_TIME = '(?:[Ss]ejak|[Mm]ulai|[Hh]ingga|[Ss]ampai|[Ss]ebelum|[Ss]etelah|[Ss]esudah)';
const NO_UNIT =
  '(?![\\p{L}\\p{N}%°]|[.,:/-]\\d| ?(?:persen|ribu|juta|miliar|triliun|derajat|k?[gm]|cm|mm|liter|poin)(?!\\p{L}))';
const ZONE = '\\s?(?:WIB|WITA|WIT)(?!\\p{L})';

/** "pukul 14.30", "10.30 WIB", "14:30", "08.00–16.00 WIB". With full stops only where a word says that it is a time. */
export function indonesianTimes(language: Language): Rule[] {
  const read = ([, ...found]: RegExpExecArray) => {
    const clocks = found.filter((clock) => clock !== undefined);
    if (clocks.some((clock) => Number(clock.split(/[.:]/)[0]) > 24)) return undefined;
    return clocks.map((clock) => readClock(clock, language)).join(' sampai ');
  };
  const rule = (name: string, source: string): Rule => ({ name, pattern: new RegExp(source, 'gu'), read });
  const hourWord = '(?<=(?<!\\p{L})(?:[Pp]ukul|[Jj]am|[Pp]kl\\.?) )';
  return [
    rule('time after its word', `${hourWord}(${ANY})(?:${UNTIL}(${ANY}))?(?![\\p{N}]|[.:]\\d)`),
    rule(
      'time of two pairs of figures',
      `${START}(?:(?<=^\\s{0,20})${PAIRS}(?=[.!?]?\\s{0,20}$)|(?<=(?<!\\p{L})${BEFORE_TIME} )${PAIRS}${NO_UNIT}|${PAIRS}(?= (?:pagi|siang|sore|petang|malam|dini hari)(?!\\p{L})))`,
    ),
    rule('time before its zone', `${START}(${ANY})(?:${UNTIL}(${ANY}))?(?=${ZONE})`),
    rule('time', `${START}(${COLONS})(?:${UNTIL}(${COLONS}))?(?![\\p{L}\\p{N}]|[.:]\\d)`),
    {
      name: 'ratio',
      pattern: /(?<![\p{L}\p{N}:.,])(\d{1,4}):(\d{1,4})(?![\p{L}\p{N}]|[:.,]\d)/gu,
      read: ([, left, right]) => `${language.cardinal(left!)} banding ${language.cardinal(right!)}`,
    },
  ];
}

/** "empat belas tiga puluh", "sepuluh lewat lima", "delapan" on the hour. */
export function readClock(clock: string, language: Language): string {
  const [hours = '0', minutes = '0', seconds] = clock.split(/[.:]/);
  const parts = [hours === '00' ? 'nol nol' : language.cardinal(hours)];
  if (Number(minutes) > 0) parts.push((Number(minutes) < 10 ? 'lewat ' : '') + language.cardinal(minutes));
  if (seconds && Number(seconds) > 0) parts.push(`lewat ${language.cardinal(seconds)} detik`);
  return parts.join(' ');
}
