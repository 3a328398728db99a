import { Command, InvalidArgumentError } from 'commander';
import type { Accounts } from '../accounts/accounts.js';
import { withAccounts } from './accounts.js';
import { printTable } from './table.js';

export function quotaCommand(): Command {
  const quota = new Command('quota').description('Characters that users may have spoken.');
  quota
    .command('list')
    .description('Limit, use and reserve of every user.')
    .action(() => withAccounts(list));
  quota
    .command('set')
    .description('Give a user a limit.')
    .argument('<user>')
    .argument('<characters>', 'in all; "unlimited" lifts the limit', limit)
    .action((user: string, { characters }: { characters: number | undefined }) =>
      withAccounts((accounts) => {
        accounts.setQuota(user, characters);
        list(accounts);
      }),
    );
  quota
    .command('reset')
    .description('Begin a new period: nothing is used.')
    .argument('<user>')
    .action((user: string) =>
      withAccounts((accounts) => {
        accounts.resetUsage(user);
        list(accounts);
      }),
    );
  return quota;
}

function list(accounts: Accounts): void {
  printTable(
    ['user', 'limit', 'used', 'reserved'],
    accounts
      .users()
      .map(({ name, quota }) => [
        name,
        quota.limit === undefined ? 'unlimited' : `${quota.limit}`,
        `${quota.used}`,
        `${quota.reserved}`,
      ]),
  );
}

/** An object, for commander takes `undefined` for an argument that was not given. */
function limit(value: string): { characters: number | undefined } {
  if (value === 'unlimited') return { characters: undefined };
  if (/^\d{1,15}$/.test(value)) return { characters: Number(value) };
  throw new InvalidArgumentError('Expected a whole number of characters, or "unlimited".');
}
