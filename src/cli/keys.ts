import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_USER, SCOPES, type Accounts, type KeyFacts, type Scope } from '../accounts/accounts.js';
import { rotateSigningKeys } from '../artifacts/signing-keys.js';
import { readSettings } from '../config.js';
import { makeDataFolder } from '../folders.js';
import { placesOf } from '../places.js';
import { withAccounts } from './accounts.js';
import { printTable } from './table.js';

const DAY = 86_400_000;
/** A hundred years. */
const MOST_DAYS = 36_500;

interface CreateFlags {
  user: string;
  scope?: Scope[];
  days?: number;
}

export function keysCommand(): Command {
  const keys = new Command('keys').description(
    'API keys, which may be changed while the service runs, and the key of signed URLs.',
  );
  keys
    .command('create')
    .description('Make a key and print it, once.')
    .argument('[name]', 'what it is for', 'key')
    .option('--user <name>', 'whose jobs it reaches; made where there is no such user', DEFAULT_USER)
    .addOption(new Option('--scope <scopes...>', 'what it allows; all by default').choices(SCOPES))
    .option('--days <number>', 'days until it expires; absent: never', days)
    .action((name: string, flags: CreateFlags) => withAccounts((accounts) => create(accounts, name, flags)));
  keys
    .command('list')
    .description('All keys, without what opens them.')
    .action(() => withAccounts(list));
  keys
    .command('revoke')
    .description('End a key at once.')
    .argument('<id>', 'its id, or the beginning of it')
    .action((id: string) => withAccounts((accounts) => revoke(accounts, id)));
  keys
    .command('renew-signing')
    .description('Make a new key for signed URLs, which the service takes up when it starts again.')
    .action(renewSigning);
  return keys;
}

function create(accounts: Accounts, name: string, { user, scope, days }: CreateFlags): void {
  if (!accounts.users().some((known) => known.name === user)) accounts.createUser(user);
  const { facts, key } = accounts.createKey({
    user,
    name,
    ...(scope ? { scopes: scope } : {}),
    ...(days === undefined ? {} : { expiresAt: Date.now() + days * DAY }),
  });
  console.error(`Key ${facts.id} of ${user}, shown this once:`);
  console.log(key);
}

function days(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && number > 0 && number <= MOST_DAYS) return number;
  throw new InvalidArgumentError(`Expected a number of days above 0, at most ${MOST_DAYS}.`);
}

function list(accounts: Accounts): void {
  printTable(
    ['id', 'user', 'name', 'begins', 'scopes', 'created', 'last used', 'state'],
    accounts
      .keys()
      .map((key) => [
        key.id,
        key.user,
        key.name,
        key.hint,
        key.scopes.join(','),
        day(key.createdAt),
        day(key.lastUsedAt),
        stateOf(key),
      ]),
  );
}

function revoke(accounts: Accounts, id: string): void {
  const { name, user } = accounts.revokeKey(id);
  console.log(`Revoked the key "${name}" of ${user}.`);
}

function renewSigning(): void {
  const settings = readSettings();
  makeDataFolder(settings.dataDir);
  rotateSigningKeys(placesOf(settings).signingKeys);
  console.log(
    'A new key signs from the next start on. What the last one signed stays good; what others did is not.',
  );
}

function stateOf({ revokedAt, expiresAt }: KeyFacts): string {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'good';
  return expiresAt > Date.now() ? `good until ${day(expiresAt)}` : 'expired';
}

function day(time: number | undefined): string {
  return time === undefined ? '–' : new Date(time).toISOString().slice(0, 10);
}
