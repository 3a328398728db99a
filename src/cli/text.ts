import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { readSettings, type Settings } from '../config.js';
import { openLog } from '../log.js';
import { localName } from '../model-names.js';
import { openStudio } from '../studio.js';
import type { Explanation } from '../text/front-end.js';
import { grammarOf } from '../text/normalise/rules.js';
import { readText } from '../text/read-text.js';
import type { SpeechInput } from '../text/utterance.js';

interface Flags {
  language?: string;
  ssml: boolean;
  json: boolean;
  voice?: string;
}

export function textCommand(): Command {
  return new Command('text')
    .description('Show what will be read: one line of words per line of input.')
    .argument('[text...]', 'the text; read from standard input when absent or "-"')
    .option(
      '--language <tag>',
      'en, en-GB, id or ms; absent: en, and with --json that of the voice',
      language,
    )
    .option('--ssml', 'the text is one SSML document', false)
    .option(
      '--json',
      'clauses, phonemes and segments with offsets into the source, a JSON line per line',
      false,
    )
    .option('--voice <model>', 'whose phonemes and segments --json tells; the default voice')
    .action(show);
}

async function show(words: string[], flags: Flags): Promise<void> {
  const lines = inputLines(words.join(' '), flags.ssml);
  const kind = flags.ssml ? 'ssml' : 'text';
  if (flags.json) return explain(lines, kind, flags);
  for await (const content of lines) {
    const sentences = readText({ kind, content }, flags.language ?? 'en');
    console.log(sentences.map((sentence) => sentence.words).join(' '));
  }
}

function language(tag: string): string {
  if (grammarOf(tag).language) return tag;
  throw new InvalidArgumentError(
    'Figures, dates and abbreviations are read in en, en-GB and other English, id and ms. ' +
      'Texts of other languages are given to espeak-ng as they are written.',
  );
}

/** Each line by itself, but SSML as a whole. */
async function* inputLines(given: string, whole: boolean): AsyncGenerator<string> {
  const lines = given === '' || given === '-' ? readLines() : given.split('\n');
  if (!whole) {
    yield* lines;
    return;
  }
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  yield all.join('\n');
}

function readLines(): AsyncIterable<string> {
  return createInterface({ input: process.stdin, crlfDelay: Infinity });
}

async function explain(
  lines: AsyncIterable<string>,
  kind: SpeechInput['kind'],
  { voice, language: read }: Flags,
): Promise<void> {
  const settings: Settings = readSettings();
  const model = voice ?? settings.defaultVoice;
  const studio = await openStudio({ ...settings, segmentCache: 'off' }, openLog('silent'), model);
  try {
    const own = studio.catalogue.resolve(localName(model, settings)).voice.text;
    const text = { ...own, language: read ?? own.language };
    for await (const content of lines) {
      if (content.trim() === '') continue;
      console.log(JSON.stringify(shown(await studio.frontEnd.explain({ kind, content }, text))));
    }
  } finally {
    await studio.close();
  }
}

function shown({ utterance, sentences }: Explanation) {
  return {
    sentences: utterance.sentences,
    clauses: sentences.flatMap(({ sentence, pronunciations }) =>
      sentence.clauses.map((clause, index) => ({
        words: clause.words.map(({ text, start, end }) => ({ text, start, end })),
        mark: clause.mark,
        phonemes: pronunciations[index],
      })),
    ),
    segments: utterance.segments.map((segment) => ({ ...segment, ids: [...segment.ids] })),
    skipped: Object.fromEntries(utterance.skipped),
    spokenCharacters: utterance.spokenCharacters,
  };
}
