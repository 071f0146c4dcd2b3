// npm run events -- user …: the users of the NATS server of this machine.
import { existsSync } from 'node:fs';
import {
  ADMIN,
  canConnect,
  changeUser,
  Failure,
  openSecrets,
  productUsers,
  readerUrl,
  readReaders,
  replaceUsers,
  requireOwnNats,
  until,
  userOf,
} from '@practice/operator';
import { serverFileIn } from '../servers/nats-server.js';
import { runningProcess, runningServers } from '../stack/run-file.js';

const APPLIED_WITHIN_MS = 10_000;

/** Changes the users, and has a running server apply the change. */
export async function changeUsers(dataDir: string, args: readonly string[]): Promise<void> {
  requireOwnNats();
  if (!existsSync(dataDir))
    throw new Failure(`There is no data folder ${dataDir}. Start the system once first.`);
  const running = runningServers(dataDir);
  const host = running === undefined ? '127.0.0.1:PORT' : new URL(running.natsUrl(ADMIN)).host;
  const { report, changed } = changeUser(dataDir, args, (reader) => readerUrl(reader, host));
  if (running !== undefined && changed !== undefined) {
    applyUsers(dataDir);
    const isUser = readReaders(dataDir).some(({ name }) => name === changed.name);
    const isApplied = async () => (await canConnect(readerUrl(changed, host))) === isUser;
    if ((await until(isApplied, { within: APPLIED_WITHIN_MS })) === undefined)
      throw new Failure('The NATS server did not apply the change; see nats-server.log in the data folder.');
  }
  const note = running === undefined ? 'It applies from the next npm start, which chooses the port.\n' : '';
  process.stdout.write(`${report}\n${changed === undefined ? '' : note}`);
}

/** Writes the users into the server's configuration and has the server read it again. */
function applyUsers(dataDir: string): void {
  const secrets = openSecrets(dataDir);
  const users = productUsers((name) => secrets.get(`nats_${name}`));
  replaceUsers(serverFileIn(dataDir), [...users, ...readReaders(dataDir).map(userOf)]);
  const pid = runningProcess(dataDir, 'nats-server');
  if (pid !== undefined) process.kill(pid, 'SIGHUP');
}
