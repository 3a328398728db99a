import { Command } from 'commander';
import { readSettings } from '../config.js';
import { openLog } from '../log.js';
import { placesOf } from '../places.js';
import { makeDataFolder, requireFolders } from '../folders.js';
import { openCatalogue, voicePreparer, withEspeak } from '../studio.js';
import type { Catalogue } from '../voices/catalogue.js';
import { addVoice, removeVoice } from '../voices/install.js';
import { printTable } from './table.js';

export function voicesCommand(): Command {
  const voices = new Command('voices').description('The voices of this machine.');
  voices
    .command('list')
    .description('What can speak, and what cannot with the reason.')
    .option('--json', 'as JSON')
    .action(list);
  voices
    .command('add')
    .description('Check, prepare and copy a Piper voice: its .onnx, with the .onnx.json beside it.')
    .argument('<path>', 'the .onnx file')
    .action(add);
  voices
    .command('remove')
    .description('Remove a voice that was added.')
    .argument('<name>', 'the name of its file, without .onnx')
    .action(remove);
  return voices;
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const settings = readSettings();
  requireFolders(settings);
  const catalogue = await withEspeak(settings, (knows) => openCatalogue(settings, openLog('silent'), knows));
  if (json) console.log(JSON.stringify({ models: catalogue.models(), broken: catalogue.broken() }, null, 2));
  else printCatalogue(catalogue);
}

function printCatalogue(catalogue: Catalogue): void {
  printTable(
    ['model', 'label', 'language', 'gender', 'domain', 'rate', 'licence'],
    catalogue
      .models()
      .map((model) => [
        model.name,
        model.label,
        model.language,
        model.gender,
        model.domain,
        `${model.sampleRate} Hz`,
        model.licence,
      ]),
  );
  for (const { name, reason } of catalogue.broken()) console.log(`\n${name} cannot speak: ${reason}`);
}

async function add(path: string): Promise<void> {
  const settings = readSettings();
  makeDataFolder(settings.dataDir);
  const voice = await withEspeak(settings, (knows) =>
    addVoice(path, placesOf(settings).addedVoices, voicePreparer(settings), knows),
  );
  console.log(
    `Added: ${voice.models.map(({ name }) => name).join(', ')}. A running service needs a restart.`,
  );
  for (const sentence of voice.manifest.lost) console.log(`Note: ${sentence}`);
}

async function remove(name: string): Promise<void> {
  await removeVoice(name, placesOf(readSettings()).addedVoices);
  console.log(`Removed ${name}. A running service needs a restart.`);
}
