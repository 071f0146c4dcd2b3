// lag and dead-letters …: commands about the event bus of a running system.
import { join } from 'node:path';
import { machineEnvironment, readSettings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';
import { ADMIN } from '../nats/users.js';
import { withClient } from '../postgres/provision.js';
import { runNode } from '../programs/run-program.js';
import { projectFolder } from '../settings/project.js';
import type { ServerUrls } from '../settings/server-urls.js';
import { rolesOf, schemaOf, storedServices } from '../settings/services.js';
import { USER_USAGE } from './users-command.js';

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
