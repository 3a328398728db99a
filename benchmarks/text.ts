import { FrontEnd } from '../src/text/front-end.js';
import { PhonemizerPool } from '../src/text/phonemizer-pool.js';
import { readText } from '../src/text/read-text.js';
import type { VoiceText } from '../src/voices/voice.js';
import { describeMachine, writeReport } from './report.js';
import { median, percentile } from './statistics.js';
import { formatTable } from './table.js';
import { readTexts } from './texts.js';

/*
 * What the text front end costs: sentences a second, the phonemizer's answer to one sentence, and how the time of
 * reading grows with the length of a text. Twice the text should take twice the time, also where the text is made to
 * hurt: every ratio in the last columns should be near 2.
 */
const ROUNDS = 7;
const LENGTHS = [5_000, 10_000, 40_000, 80_000];

/** Ordinary text, and runs on which a careless expression takes quadratic time. */
const KINDS: [name: string, unit: string][] = [
  ['sentences', `${readTexts('sentences').join(' ')} `],
  ['prices', '$3.50 and 1,234.56 on 5/3/2024 at 14:30. '],
  ['one letter', 'a'],
  ['figures', '7'],
  ['grouped figures', '1,'],
  ['dotted figures', '1.'],
  ['hyphens', '-'],
  ['hyphenated', 'a-'],
  ['at signs', 'a@'],
  ['host names', 'a.b-'],
  ['capitals', 'AB '],
  ['inches', '5" '],
  ['quoted fractions', '1/2"'],
  ['tags', '<b '],
  ['comparisons', '5<'],
  ['formulas', 'H2O'],
  ['spaces', ' '],
  ['full stops', '. '],
  ['line breaks', 'a\n'],
  ['combining marks', 'e\u0301\u0302'],
  ['emoji', '😀'],
  ['Han', '你好世界'],
];

/** Only letters and marks are needed here: the ids' values do not change the work. */
const SYMBOLS = [...'^_$ .,!?:;aæbdefhijklmnopstuvwzðŋɐɑɔəɚɛɜɡɪɹɾʃʊʌʒθᵻˈˌː'];
const VOICE: VoiceText = {
  espeakVoice: 'en-us',
  language: 'en-US',
  phonemeType: 'espeak',
  idMap: new Map(SYMBOLS.map((symbol, id) => [symbol, [id]])),
  maxIds: 1000,
};

const machine = describeMachine();
const pool = new PhonemizerPool();
await pool.ready();

const growth = KINDS.map(([name, unit]) => growthOf(name, unit));
console.log(
  `\nReading (without phonemes), milliseconds of processor time\n\n${formatTable(
    growth.map(({ name, milliseconds }) => ({
      text: name,
      ...Object.fromEntries(
        LENGTHS.map((length, index) => [`${length} characters`, milliseconds[index]!.toFixed(1)]),
      ),
      'last ratio': (milliseconds.at(-1)! / milliseconds.at(-2)!).toFixed(2),
    })),
  )}`,
);

const latency = await latencyOf(readTexts('sentences'));
console.log(`\nThe phonemizer's answer to one sentence, microseconds\n\n${formatTable([latency])}`);

const throughput = await throughputOf();
console.log(`\nWhole front end\n\n${formatTable([throughput])}`);

console.log(`\nWritten to ${writeReport('text', machine, { growth, latency, throughput })}.`);
await pool.close();

function growthOf(name: string, unit: string): { name: string; milliseconds: number[] } {
  const milliseconds = LENGTHS.map((length) => {
    const content = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    const times = Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      readText({ kind: 'text', content }, VOICE.language);
      return process.cpuUsage(before).user / 1000;
    });
    return median(times);
  });
  return { name, milliseconds };
}

/** Every sentence is asked once, so none comes from the cache. */
async function latencyOf(sentences: string[]) {
  const times: number[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const before = performance.now();
    await pool.phonemise(VOICE.espeakVoice, [
      `${sentence.replace(/[.,;:!?]/g, '')} ${'very '.repeat(index % 3)}well`,
    ]);
    times.push((performance.now() - before) * 1000);
  }
  const round = (value: number) => Math.round(value);
  return { sentences: times.length, median: round(median(times)), '95 %': round(percentile(times, 0.95)) };
}

async function throughputOf() {
  const sentences = readTexts('sentences');
  let segments = 0;
  const before = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    // A word more makes every round's clauses new to the cache.
    const content = sentences.map((sentence) => `${'Well '.repeat(round)}${sentence}`).join(' ');
    segments += (await new FrontEnd(pool).prepare({ kind: 'text', content }, VOICE)).segments.length;
  }
  const seconds = (performance.now() - before) / 1000;
  return { segments, 'a second': Math.round(segments / seconds) };
}
