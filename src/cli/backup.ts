import { copyFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { copyArtifacts } from '../artifacts/files/copy-artifacts.js';
import { readSettings } from '../config.js';
import { makeFolder } from '../folders.js';
import { placesOf } from '../places.js';
import { backupSqlite } from '../store/sqlite/maintenance.js';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy jobs, accounts, audio and signing keys into a folder, also while the service runs.')
    .argument('<folder>', 'a data directory of its own: LANTANG_DATA_DIR may name it to restore')
    .action(backup);
}

/** The database first: the audio of every job that its copy calls complete is there afterwards. */
async function backup(folder: string): Promise<void> {
  const from = placesOf(readSettings());
  const to = placesOf({ dataDir: folder, modelsDir: undefined });
  makeFolder(folder, 'The folder of a backup');
  await backupSqlite(from.database, to.database);
  const copied = await copyArtifacts(from.audio, to.audio);
  if (existsSync(from.signingKeys)) await copyFile(from.signingKeys, to.signingKeys);
  console.log(`Copied the database and ${copied} audio files to ${folder}.`);
}
