// lag and dead-letters …: commands about the event bus of a running system.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineEnvironment, readSettings } from '../settings/operator.config.js';
import { understood } from '../common/command-line.js';
import { Failure } from '../common/failure.js';
import { readReaders, withReader, writeReaders, type Reader } from '../nats/readers.js';
import { ADMIN } from '../nats/users.js';
import { withClient } from '../postgres/provision.js';
import { runNode } from '../programs/run-program.js';
import { projectFolder } from '../settings/project.js';
import type { ServerUrls } from '../settings/server-urls.js';
import { rolesOf, schemaOf, storedServices } from '../settings/services.js';

const USER_USAGE =
  'Usage: npm run events -- user NAME [--subscription NAME]… | user NAME --revoke | user list';
export const EVENTS_USAGE = [
  'Usage: npm run events -- republish SERVICE [--from POSITION|TIME] [--practice ID]',
  '       npm run events -- lag',
  '       npm run events -- dead-letters [list [SUBSCRIPTION] | show ID | retry ID | discard ID]',
  `       ${USER_USAGE.replace('Usage: ', '')}`,
].join('\n');

type EventServers = Pick<ServerUrls, 'databaseUrl' | 'natsUrl'>;

/** @throws {Failure} when NATS_URL names another NATS server: this program does not make its users */
export function requireOwnNats(): void {
  if (readSettings().NATS_URL !== '')
    throw new Failure(
      'NATS_URL names a server of yours: manage its users there (docs/events.md lists the permissions).',
    );
}

/** Runs a program of the bus as the NATS user without limits. @returns its exit code */
export function busProgram(
  { natsUrl }: EventServers,
  program: string,
  args: readonly string[],
): Promise<number> {
  const file = join(projectFolder, 'libs', 'bus', 'dist', 'events', 'programs', program);
  return runNode([file, ...args], { ...machineEnvironment(), NATS_URL: natsUrl(ADMIN) });
}

/** Prints how far subscriptions are behind, and the events that wait in the outboxes. */
export async function lag(on: EventServers): Promise<number> {
  const { databaseUrl } = on;
  const code = await busProgram(on, 'lag.js', []);
  const depths = await Promise.all(
    storedServices.map((service) =>
      withClient(databaseUrl(rolesOf(service).relay), async (client) => {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::float8 AS count FROM "${schemaOf(service)}".outbox`,
        );
        return `${service.name.padEnd(32)}${String(rows[0]?.count ?? 0).padStart(8)}\n`;
      }),
    ),
  );
  process.stdout.write(`\n${'OUTBOX OF'.padEnd(32)}${'EVENTS'.padStart(8)}\n${depths.join('')}`);
  return code;
}

/**
 * Carries out `user NAME [--subscription NAME]…`, `user NAME --revoke` and `user list` on the files of a data folder.
 * @returns the text to print, and the user that was added, changed or revoked
 * @throws {Failure} when the arguments are invalid, or name a user that does not exist or may not be created
 */
export function changeUser(
  dataDir: string,
  args: readonly string[],
  urlOf: (reader: Reader) => string,
): { readonly report: string; readonly changed?: Reader } {
  const { name, subscriptions, revoke } = parse(args);
  const readers = readReaders(dataDir);
  if (name === 'list') return { report: listOf(readers) };
  if (revoke) {
    const changed = readers.find((reader) => reader.name === name);
    if (changed === undefined) throw new Failure(`There is no user ${name}.`);
    writeReaders(
      dataDir,
      readers.filter((reader) => reader !== changed),
    );
    return { report: `Revoked: ${name}.`, changed };
  }
  const wanted = { name, subscriptions: [...new Set([name, ...subscriptions])] };
  const { reader: changed, readers: all } = withReader(readers, wanted);
  writeReaders(dataDir, all);
  return { report: `${urlOf(changed)}\nMay subscribe under: ${changed.subscriptions.join(', ')}`, changed };
}

/** URL with a reader's credentials. */
export const readerUrl = ({ name, password }: Reader, host: string): string =>
  `nats://${name}:${password}@${host}`;

function parse(args: readonly string[]) {
  const options = {
    subscription: { type: 'string', multiple: true, default: [] as string[] },
    revoke: { type: 'boolean', default: false },
  } as const;
  return understood(USER_USAGE, () => {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) throw new Error('give one NAME, or list');
    return { name, subscriptions: values.subscription, revoke: values.revoke };
  });
}

const listOf = (readers: readonly Reader[]): string =>
  readers.length === 0
    ? 'There are no users.'
    : readers.map(({ name, subscriptions }) => `${name}  ${subscriptions.join(', ')}`).join('\n');
