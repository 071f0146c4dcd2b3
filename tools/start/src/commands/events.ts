// npm run events -- republish …, user …, lag, dead-letters …: commands about the event bus of this machine.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  ADMIN,
  canConnect,
  changeUser,
  EVENTS_USAGE,
  eventsOn,
  Failure,
  openSecrets,
  productUsers,
  readerUrl,
  readReaders,
  readSettings,
  replaceUsers,
  requireOwnNats,
  until,
  userOf,
} from '@practice/operator';
import { serverFileIn } from '../servers/nats-server.js';
import { runningProcess, runningServers } from '../stack/run-file.js';
import { republish } from './commands.js';

/** Runs one of the commands; the first argument names it. */
export async function events(args: readonly string[]): Promise<void> {
  const [verb, ...rest] = args;
  if (verb === 'republish') return republish(args);
  try {
    if (verb === 'user') await user(rest);
    else if (verb === 'lag' || verb === 'dead-letters') await eventsOn(args, servers());
    else throw new Failure(`There is no command ${verb ?? ''}.\n${EVENTS_USAGE}`);
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

const dataFolder = (): string => resolve(readSettings().DATA_DIR);

function servers() {
  const running = runningServers(dataFolder());
  if (running === undefined) throw new Failure('The system is not running. Start it with npm start.');
  return running;
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
