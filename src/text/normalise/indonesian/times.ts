import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

const START = '(?<![\\p{L}\\p{N}:.,/-])';
const COLONS = '\\d{1,2}:[0-5]\\d(?::[0-5]\\d)?';
const STOPS = '\\d{1,2}\\.[0-5]\\d(?:\\.[0-5]\\d)?';
const ANY = `(?:${COLONS}|${STOPS})`;
const UNTIL = '(?:\\s?(?:[-–—]|s\\.d\\.|s/d)\\s?|\\s(?:sampai|hingga)\\s)';
const ZONE = '\\s?(?:WIB|WITA|WIT)(?!\\p{L})';

/** "pukul 14.30", "10.30 WIB", "14:30", "08.00–16.00 WIB". With full stops only where a word says that it is a time. */
export function indonesianTimes(language: Language): Rule[] {
  const read = ([, from, to]: RegExpExecArray) => {
    const clocks = [from!, ...(to ? [to] : [])];
    if (clocks.some((clock) => Number(clock.split(/[.:]/)[0]) > 24)) return undefined;
    return clocks.map((clock) => readClock(clock, language)).join(' sampai ');
  };
  const rule = (name: string, source: string): Rule => ({ name, pattern: new RegExp(source, 'gu'), read });
  const hourWord = '(?<=(?<!\\p{L})(?:[Pp]ukul|[Jj]am|[Pp]kl\\.?) )';
  return [
    rule('time after its word', `${hourWord}(${ANY})(?:${UNTIL}(${ANY}))?(?![\\p{N}]|[.:]\\d)`),
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
  const parts = [language.cardinal(hours)];
  if (Number(minutes) > 0) parts.push((Number(minutes) < 10 ? 'lewat ' : '') + language.cardinal(minutes));
  if (seconds && Number(seconds) > 0) parts.push(`lewat ${language.cardinal(seconds)} detik`);
  return parts.join(' ');
}
