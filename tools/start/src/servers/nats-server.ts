// The built-in NATS server: JetStream on files in the data folder, on a free port of the loopback address.
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  ADMIN,
  canConnect,
  type Child,
  machineEnvironment,
  productUsers,
  readReaders,
  serverFile,
  startReady,
  userOf,
  writePrivately,
} from '@practice/operator';

/** After a crash, the server reads all messages of its streams from the disk before it accepts connections. */
const READY_WITHIN = 300_000;
const STOPPED_WITHIN = 15_000;
/** On all processors, idle threads of Go look for work while other processes need the time. */
const GOMAXPROCS = String(Math.ceil(availableParallelism() / 2));

export interface NatsServer {
  readonly program: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logFile: string;
  readonly passwordOf: (user: string) => string;
}

export const serverFileIn = (dataDir: string): string => join(dataDir, 'nats-server.conf');

/** URL with the credentials of a user: `admin`, or the name of a service. */
export function natsUrl({ port, passwordOf }: NatsServer, user: string): string {
  return `nats://${user}:${passwordOf(user)}@127.0.0.1:${port}`;
}

/**
 * Starts the server.
 * @throws {Failure} with the end of its log when it does not start
 */
export function startNats(server: NatsServer): Promise<Child> {
  const { program, port, dataDir, logFile, passwordOf } = server;
  const file = serverFileIn(dataDir);
  const storeDir = resolve(dataDir, 'nats');
  const users = [...productUsers(passwordOf), ...readReaders(dataDir).map(userOf)];
  writePrivately(file, serverFile({ host: '127.0.0.1', port, storeDir, users }));
  const admin = natsUrl(server, ADMIN);
  return startReady(
    {
      name: 'nats-server',
      command: program,
      args: ['--config', file],
      env: { ...machineEnvironment(), GOMAXPROCS },
      logFile,
      orphaned: 'SIGTERM',
    },
    { isReady: () => canConnect(admin), within: READY_WITHIN },
  );
}

/** Stops the server, which first writes its state to disk. */
export function stopNats(child: Child): Promise<void> {
  return child.stop('SIGTERM', STOPPED_WITHIN);
}
