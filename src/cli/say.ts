import { text as readAll } from 'node:stream/consumers';
import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AudioFormatName, SampleRate } from '../audio/format.js';
import { SAMPLE_RATES } from '../audio/format.js';
import { FORMAT_NAMES } from '../audio/formats.js';
import { readSettings } from '../config.js';
import type { SpeechResult } from '../speech/speech.js';
import { openLog } from '../log.js';
import { localName } from '../model-names.js';
import { openStudio } from '../studio.js';
import { formatOf, requireWritable, writeAudio } from './output.js';

interface Flags {
  voice?: string;
  tempo: number;
  pitch: number;
  format?: AudioFormatName;
  rate: string;
  seed: number;
  ssml: boolean;
  output: string;
}

export function sayCommand(): Command {
  return new Command('say')
    .description('Speak a text into a file, without a server.')
    .argument('[text...]', 'what to say; read from standard input when absent or "-"')
    .option('--voice <model>', 'a name that `lantang voices list` shows')
    .option('--tempo <factor>', 'speed, 0.5 to 2', numberBetween(0.5, 2), 1)
    .option('--pitch <semitones>', 'pitch, -10 to 10', numberBetween(-10, 10), 0)
    .addOption(
      new Option('--format <name>', 'audio format; else taken from the file name').choices(FORMAT_NAMES),
    )
    .addOption(new Option('--rate <hertz>', 'sample rate').choices(SAMPLE_RATES.map(String)).default('48000'))
    .option('--seed <number>', 'another seed, another reading', wholeNumber, 0)
    .option('--ssml', 'the text is SSML', false)
    .option('-o, --output <file>', 'where the audio goes; "-" is standard output', 'speech.wav')
    .action(say);
}

async function say(words: string[], flags: Flags): Promise<void> {
  requireWritable(flags.output);
  const format = flags.format ?? formatOf(flags.output);
  const content = await readText(words);
  const settings = readSettings();
  const model = flags.voice ?? settings.defaultVoice;
  const studio = await openStudio({ ...settings, segmentCache: 'off' }, openLog('error'), model);
  try {
    const bar = new SingleBar({ format: '{bar} {value}/{total} segments', clearOnComplete: true });
    const speech = studio.speaker.speak(
      {
        input: { kind: flags.ssml ? 'ssml' : 'text', content },
        model: localName(model, settings),
        tempo: flags.tempo,
        pitch: flags.pitch,
        format,
        sampleRate: Number(flags.rate) as SampleRate,
        seed: flags.seed,
      },
      { priority: 'interactive', user: 'cli', streaming: flags.output === '-', onProgress: showOn(bar) },
    );
    await writeAudio(speech.bytes, flags.output);
    bar.stop();
    report(flags.output, await speech.result);
  } finally {
    await studio.close();
  }
}

async function readText(words: string[]): Promise<string> {
  const given = words.join(' ');
  return given === '' || given === '-' ? readAll(process.stdin) : given;
}

/** A bar for texts of more than one segment, on a terminal. */
function showOn(bar: SingleBar): (progress: { segments: number; of: number }) => void {
  return ({ segments, of }) => {
    if (!process.stderr.isTTY || of < 2) return;
    if (!bar.isActive) bar.start(of, segments);
    bar.update(segments);
  };
}

function report(output: string, { duration, times }: SpeechResult): void {
  if (output === '-') return;
  const factor = times.infer > 0 ? ` at ${Math.round(duration / times.infer)} × real time a lane` : '';
  console.error(`${output}: ${duration.toFixed(2)} s of audio${factor}`);
}

function numberBetween(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
  };
}

function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected a whole number of at most 15 digits.');
}
