// The commands backup and restore.
import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Settings } from '../settings/operator.config.js';
import { understood } from '../common/command-line.js';
import { Failure } from '../common/failure.js';
import { withClient } from '../postgres/provision.js';
import { externalServers, needsBuiltIn } from '../postgres/servers.js';
import { stagesShownBy } from '../common/stages.js';
import { basesOf, makeBaseBackup } from './base-backup.js';
import { systemOf, type Base } from './layout.js';
import { prune } from './prune.js';
import type { Wanted } from './restore.js';
import { targetOf, type Target } from './target.js';
import { problemsOf, rehearse } from './verify.js';

const BACKUP_USAGE = 'Usage: npm run backup [-- --keep DAYS | list | verify [--restore]]';
const RESTORE_USAGE = 'Usage: npm run restore [-- --to TIME] [--timeline NUMBER]';
const DAY_MS = 86_400_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

/** The database that is backed up, and the target of its backups. */
export interface Place {
  readonly target: Target;
  /** The settings with the URLs of other databases, which no backup has. */
  readonly elsewhere: readonly string[];
  /** A trial restore makes its scratch folder in this folder. */
  readonly scratch: string;
  /** The folder of the cluster. @throws {Failure} if it does not exist */
  readonly folder: () => string;
  /** Calls `use` with the URL of the superuser. */
  readonly withPostgres: <T>(use: (url: string) => Promise<T>) => Promise<T>;
}

/**
 * `[--keep DAYS]`: makes a base backup, and deletes older backups. `list`: shows the base backups. `verify [--restore]`: reads all
 * files, and restores into a scratch folder if requested.
 */
export async function backupOf(
  { target, elsewhere, scratch, folder, withPostgres }: Place,
  args: readonly string[],
): Promise<void> {
  const [verb, ...others] = args;
  if (verb === 'verify') return verify(others, target, scratch);
  const cluster = folder();
  if (verb === 'list' && others.length === 0) return list(target, systemOf(cluster));
  const days = keptDays(args);
  const base = await withPostgres((url) => baseBackup(url, { folder: cluster, target }));
  say(
    `The database can be restored to any second from ${base.completedAt} on (${megabytes(base.bytes)} copied).`,
  );
  if (elsewhere.length > 0) say(`The backup has no data of your own Postgres (${elsewhere.join(', ')}).`);
  if (days === undefined) return;
  const gone = await prune(target, systemOf(cluster), new Date(Date.now() - days * DAY_MS));
  say(`Base backups deleted: ${gone}.`);
}

/** @throws {Failure} if the settings name no target, or no service uses the built-in Postgres */
export function requireTarget(settings: Settings): Target {
  if (!needsBuiltIn(settings)) throw ownTools(settings);
  const target = targetOf(settings);
  if (target === undefined) throw new Failure('BACKUP_TARGET is not set: it names the folder for backups.');
  return target;
}

/** Refuses a target that would stay empty, as no service uses the built-in Postgres. @throws {Failure} if there is a target */
export function refuseTarget(settings: Settings): undefined {
  if (settings.BACKUP_TARGET !== '') throw ownTools(settings);
}

const ownTools = (settings: Settings): Failure =>
  new Failure(
    `The data is in a Postgres of yours (${externalServers(settings).join(', ')}): back it up with its own tools (docs/operations.md), without BACKUP_TARGET.`,
  );

async function list(target: Target, system: string): Promise<void> {
  for (const { completedAt, bytes } of await basesOf(target, system))
    say(`${completedAt}  ${megabytes(bytes)}`);
}

async function verify(args: readonly string[], target: Target, dataDir: string): Promise<void> {
  const options = { restore: { type: 'boolean' } } as const;
  const { values } = understood(BACKUP_USAGE, () => parseArgs({ args: [...args], options }));
  const problems = await problemsOf(target);
  for (const problem of problems) say(problem);
  if (values.restore === true)
    say(`A restore reaches the change of ${await rehearse(dataDir, target, stagesShownBy(say))}.`);
  if (problems.length > 0) throw new Failure(`The backup has problems: ${problems.length}.`);
  say('Every file of the backup can be read, and the archive has no gap.');
}

const baseBackup = (url: string, { folder, target }: { folder: string; target: Target }): Promise<Base> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ mode: string }>(`SELECT current_setting('archive_mode') AS mode`);
    if (rows[0]?.mode !== 'on')
      throw new Failure('The system runs without BACKUP_TARGET. Set it, and restart the system.');
    return makeBaseBackup({ client, folder: realpathSync(folder), system: systemOf(folder), target });
  });

function keptDays(args: readonly string[]): number | undefined {
  const { keep } = understood(BACKUP_USAGE, () =>
    parseArgs({ args: [...args], options: { keep: { type: 'string' } } }),
  ).values;
  if (keep === undefined || /^[1-9]\d{0,4}$/.test(keep)) return keep === undefined ? undefined : Number(keep);
  throw new Failure(`--keep takes a number of days.\n${BACKUP_USAGE}`);
}

/** The time and the timeline of `--to` and `--timeline`. @throws {Failure} if they are malformed */
export function wantedTime(args: readonly string[]): Wanted {
  const text = { type: 'string' } as const;
  const { values } = understood(RESTORE_USAGE, () =>
    parseArgs({ args: [...args], options: { to: text, timeline: text } }),
  );
  const { to, timeline } = values;
  if (timeline !== undefined && !/^[1-9]\d{0,8}$/.test(timeline))
    throw new Failure(`--timeline takes a number.\n${RESTORE_USAGE}`);
  return { to: timeIn(to), timeline: timeline === undefined ? undefined : Number(timeline) };
}

function timeIn(to: string | undefined): Wanted['to'] {
  if (to === undefined || to === 'gap') return to;
  if (TIME.test(to) && !Number.isNaN(Date.parse(to))) return new Date(to);
  throw new Failure(`--to takes a time such as 2030-01-07T09:00:00Z, or the word gap.\n${RESTORE_USAGE}`);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
