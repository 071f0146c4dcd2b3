// npm run events -- user …, lag, dead-letters …: commands about the event bus of the running system.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { republish } from '../commands.js';
import { machineEnvironment, readSettings } from '../dev.config.js';
import { Failure } from '../failure.js';
import type { Infra } from '../infra.js';
import { serverFileIn } from '../nats/server.js';
import { replaceUsers } from '../nats/server-file.js';
import { readReaders, userOf } from '../nats/readers.js';
import { canConnect } from '../nats/stream.js';
import { ADMIN, productUsers } from '../nats/users.js';
import { projectFolder } from '../processes/app.js';
import { runningProcess, runningServers } from '../run-file.js';
import { openSecrets } from '../secrets.js';
import { rolesOf, schemaOf, storedServices } from '../services.js';
import { until } from '../until.js';
import { changeUser, readerUrl, USER_USAGE } from './users-command.js';

const USAGE = [
  'Usage: npm run events -- republish SERVICE [--from POSITION|TIME] [--practice ID]',
  '       npm run events -- lag',
  '       npm run events -- dead-letters [list [SUBSCRIPTION] | show ID | retry ID | discard ID]',
  `       ${USER_USAGE.replace('Usage: ', '')}`,
].join('\n');

type EventServers = Pick<Infra, 'databaseUrl' | 'natsUrl'>;

/** Runs one of the commands; the first argument names it. */
export async function events(args: readonly string[]): Promise<void> {
  const [verb, ...rest] = args;
  if (verb === 'republish') return republish(args);
  try {
    if (verb === 'user') await user(rest);
    else if (verb === 'lag' || verb === 'dead-letters') await eventsOn(args, servers());
    else throw new Failure(`There is no command ${verb ?? ''}.\n${USAGE}`);
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * `lag` and `dead-letters …` on these servers.
 * @throws {Failure} when the first argument names none of these commands
 */
export async function eventsOn([verb, ...rest]: readonly string[], on: EventServers): Promise<void> {
  if (verb === 'lag') await lag(on);
  else if (verb === 'dead-letters') await runProgram(on, 'dead-letters.js', rest);
  else throw new Failure(`There is no command ${verb ?? ''}.\n${USAGE}`);
}

/** @throws {Failure} when the NATS server is not ours, so its users are not made here */
export function requireOwnNats(): void {
  if (readSettings().NATS_URL !== '')
    throw new Failure(
      'NATS_URL names a server of yours: manage its users there (docs/events.md lists the permissions).',
    );
}

const dataFolder = (): string => resolve(readSettings().DATA_DIR);

function servers() {
  const running = runningServers(dataFolder());
  if (running === undefined) throw new Failure('The system is not running. Start it with npm start.');
  return running;
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

const APPLIED_WITHIN_MS = 10_000;

/** Changes the users, and has a running server apply the change. */
async function user(args: readonly string[]): Promise<void> {
  const dataDir = dataFolder();
  requireOwnNats();
  if (!existsSync(dataDir))
    throw new Failure(`There is no data folder ${dataDir}. Start the system once first.`);
  const running = runningServers(dataDir);
  const host = running === undefined ? '127.0.0.1:PORT' : new URL(running.natsUrl(ADMIN)).host;
  const change = changeUser(dataDir, args, (reader) => readerUrl(reader, host));
  const changed = change.added ?? change.revoked;
  if (running !== undefined && changed !== null) {
    applyUsers(dataDir);
    const url = readerUrl(changed, host);
    const isApplied = async () => ((await canConnect(url)) === (change.added !== null) ? true : undefined);
    if ((await until(isApplied, { within: APPLIED_WITHIN_MS })) === undefined)
      throw new Failure('The NATS server did not apply the change; see nats-server.log in the data folder.');
  }
  const note = running === undefined ? 'It applies from the next npm start, which chooses the port.\n' : '';
  process.stdout.write(`${change.report}\n${changed === null ? '' : note}`);
}

/** Writes the users into the server's configuration and has the server read it again. */
function applyUsers(dataDir: string): void {
  const secrets = openSecrets(dataDir);
  const users = productUsers((name) => secrets.get(`nats_${name}`));
  replaceUsers(serverFileIn(dataDir), [...users, ...readReaders(dataDir).map(userOf)]);
  const pid = runningProcess(dataDir, 'nats-server');
  if (pid !== undefined) process.kill(pid, 'SIGHUP');
}
