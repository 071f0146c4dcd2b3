// Postgres refuses to run as root. If root starts the system, Postgres runs as another user of this machine.
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../common/failure.js';
import type { Account } from '../processes/child.js';

/**
 * The user to run Postgres as; `undefined` for the user of this process.
 * @throws {Failure} when root finds no other user, or when existing data belongs to another user
 */
export function postgresAccount(dataFolder: string): Account | undefined {
  const owner = existsSync(dataFolder) ? statSync(dataFolder) : undefined;
  if (process.getuid?.() !== 0) return requireOwn(dataFolder, owner?.uid);
  // In a container, the owner of a volume may have no name.
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = accountsOfThisMachine();
  const account =
    accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody');
  if (account) return account;
  throw new Failure(
    'Postgres does not run as root, and this machine has no user called postgres. ' +
      'Start as a normal user, or name a running Postgres by DATABASE_URL.',
  );
}

/** The folder nearest to `path` that `account` may not pass through; undefined if it can pass through all. */
export function barrier(path: string, account: Account): string | undefined {
  const steps: string[] = [];
  for (let at = existing(path); ; at = dirname(at)) {
    steps.push(at);
    if (at === dirname(at)) break;
  }
  return steps.find((step) => statSync(step).isDirectory() && !mayPass(step, account));
}

function requireOwn(dataFolder: string, owner: number | undefined): undefined {
  if (owner === undefined || owner === process.getuid?.()) return undefined;
  throw new Failure(
    `${dataFolder} belongs to another user (uid ${owner}), so it was made by another one or by root. ` +
      'Start as that user, or choose another folder by DATA_DIR.',
  );
}

function accountsOfThisMachine(): (Account & { readonly name: string })[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name }) => name !== '');
}

function existing(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : existing(dirname(path));
}

function mayPass(folder: string, account: Account): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
