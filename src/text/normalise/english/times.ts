import type { Language } from '../language.js';
import type { Rule } from '../rule.js';

const START = '(?<![\\p{L}\\p{N}:.,/-])';
const HALF = '(?:\\s?(?<half>[AaPp]\\.?[Mm](?:\\.(?!\\p{L}))?)(?!\\p{L}))';
const CLOCK = '\\d{1,2}:[0-5]\\d(?::[0-5]\\d)?';
const END = '(?![\\p{N}]|:\\d)';

/** "2:05 pm", "14:30", "14:30:15", "7–9 pm", "9:30-11:00". */
export function englishTimes(language: Language): Rule[] {
  const isClock = (clock: string) => Number(clock.split(':')[0]) < 25;
  return [
    {
      name: 'range of times',
      pattern: new RegExp(
        `${START}(?<from>${CLOCK})${HALF.replace('half', 'fromHalf')}?\\s?[-–—]\\s?(?<to>${CLOCK})${HALF}?${END}`,
        'gu',
      ),
      read: ({ groups }) => {
        const { from, fromHalf, to, half } = groups!;
        return isClock(from!) && isClock(to!)
          ? `${readClock(from!, language, fromHalf, half !== undefined)} to ${readClock(to!, language, half)}`
          : undefined;
      },
    },
    {
      name: 'range of hours',
      pattern: new RegExp(
        `${START}(?<from>\\d{1,2})${HALF.replace('half', 'fromHalf')}?\\s?[-–—]\\s?(?<to>\\d{1,2})${HALF}`,
        'gu',
      ),
      read: ({ groups }) => {
        const { from, fromHalf, to, half } = groups!;
        return `${language.cardinal(from!)}${halfOfDay(fromHalf)} to ${language.cardinal(to!)}${halfOfDay(half)}`;
      },
    },
    {
      name: 'time',
      pattern: new RegExp(`${START}(?<clock>${CLOCK})${HALF}?${END}`, 'gu'),
      read: ({ groups }) => {
        const { clock, half } = groups!;
        return isClock(clock!) ? readClock(clock!, language, half) : undefined;
      },
    },
    {
      name: 'time, British',
      pattern: new RegExp(`${START}(?<clock>\\d{1,2}\\.[0-5]\\d)${HALF}`, 'gu'),
      read: ({ groups }) => readClock(groups!.clock!.replace('.', ':'), language, groups!.half),
    },
    {
      name: 'hour',
      pattern: new RegExp(`${START}(?<hour>\\d{1,2})${HALF}`, 'gu'),
      read: ({ groups }) => `${language.cardinal(groups!.hour!)}${halfOfDay(groups!.half)}`,
    },
    {
      name: 'ratio',
      pattern: /(?<![\p{L}\p{N}:.,])(\d{1,4}):(\d{1,4})(?![\p{L}\p{N}]|[:.,]\d)/gu,
      read: ([, left, right]) => `${language.cardinal(left!)} to ${language.cardinal(right!)}`,
    },
  ];
}

/** `clock` as "14:05" or "14:05:09"; `bare` leaves out "o'clock". */
export function readClock(clock: string, language: Language, half?: string, bare = false): string {
  const [hours = '0', minutes = '0', seconds] = clock.split(':');
  if (!half && /^(?:00|24)(?::00){1,2}$/.test(clock)) return 'midnight';
  const hour = language.cardinal(hours);
  const parts = [hour];
  if (Number(minutes) > 0) parts.push((Number(minutes) < 10 ? 'oh ' : '') + language.cardinal(minutes));
  else if (!half && !bare && !seconds)
    parts.push(Number(hours) > 12 || Number(hours) === 0 ? 'hundred' : "o'clock");
  if (seconds && Number(seconds) > 0) {
    parts.push(`and ${language.cardinal(seconds)} second${Number(seconds) === 1 ? '' : 's'}`);
  }
  return parts.join(' ') + halfOfDay(half);
}

function halfOfDay(half: string | undefined): string {
  if (half === undefined) return '';
  return half[0]!.toLowerCase() === 'a' ? ' A.M' : ' P.M';
}
