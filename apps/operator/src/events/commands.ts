// lag and dead-letters …: commands about the event bus of a running system.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { machineEnvironment, readSettings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';
import { ADMIN } from '../nats/users.js';
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

/**
 * `lag` and `dead-letters …` on these servers.
 * @throws {Failure} when the first argument names none of these commands
 */
export async function eventsOn([verb, ...rest]: readonly string[], on: EventServers): Promise<void> {
  if (verb === 'lag') await lag(on);
  else if (verb === 'dead-letters') await runProgram(on, 'dead-letters.js', rest);
  else throw new Failure(`There is no command ${verb ?? ''}.\n${EVENTS_USAGE}`);
}

/** @throws {Failure} when the NATS server is not ours, so its users are not made here */
export function requireOwnNats(): void {
  if (readSettings().NATS_URL !== '')
    throw new Failure(
      'NATS_URL names a server of yours: manage its users there (docs/events.md lists the permissions).',
    );
}

/** Runs a program of the events package as the NATS user without limits. */
async function runProgram(
  { natsUrl }: EventServers,
  program: string,
  args: readonly string[],
): Promise<void> {
  const file = join(projectFolder, 'libs', 'bus', 'dist', 'events', 'programs', program);
  const env = { ...machineEnvironment(), NATS_URL: natsUrl(ADMIN) };
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', env });
  process.exitCode = await new Promise<number>((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}

async function lag(on: EventServers): Promise<void> {
  const { databaseUrl } = on;
  await runProgram(on, 'lag.js', []);
  const depths = await Promise.all(
    storedServices.map(async (service) => {
      const client = new Client({ connectionString: databaseUrl(rolesOf(service).relay) });
      client.on('error', () => undefined);
      await client.connect();
      try {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::float8 AS count FROM "${schemaOf(service)}".outbox`,
        );
        return `${service.name.padEnd(32)}${String(rows[0]?.count ?? 0).padStart(8)}\n`;
      } finally {
        await client.end();
      }
    }),
  );
  process.stdout.write(`\n${'OUTBOX OF'.padEnd(32)}${'EVENTS'.padStart(8)}\n${depths.join('')}`);
}
