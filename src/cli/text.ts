import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { readSettings } from '../config.js';
import { openLog } from '../log.js';
import { openCatalogue } from '../studio.js';
import { readText } from '../text/read-text.js';

interface Flags {
  language: string;
  ssml: boolean;
  json?: boolean;
  voice?: string;
}

export function textCommand(): Command {
  return new Command('text')
    .description('Show what will be read: one line of words per line of input.')
    .argument('[text...]', 'the text; read from standard input when absent or "-"')
    .option('--language <tag>', 'en, id, …', 'en')
    .option('--ssml', 'the text is SSML', false)
    .option('--json', 'clauses, phonemes and segments with their offsets into the source')
    .option('--voice <model>', 'whose segments --json shows')
    .action(show);
}
