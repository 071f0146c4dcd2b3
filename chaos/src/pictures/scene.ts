// The system that the pictures show: with a replica, with backups and with limits, under an even load of several practices.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  freePort,
  machineEnvironment,
  startStandby,
  startSystem,
  type Drilling,
  type Stack,
  type Standby,
} from '@practice/dev';
import { startCallers, type Callers } from './callers.js';

export interface Scene {
  readonly stack: Stack;
  readonly callers: Callers;
  readonly standby: Standby;
  /** The folder of the drill. */
  readonly folder: string;
  /** Folder of JetStream. */
  readonly streamFolder: string;
  /** Runs `npm run PROGRAM -- …` on the system. @throws when it fails */
  readonly command: (program: string, ...args: string[]) => Promise<unknown>;
}

const projectFolder = join(import.meta.dirname, '..', '..', '..');
/** Above the callers of one practice, and below one that floods. */
const LIMITS = {
  LIMIT_READS_PER_MINUTE: 1_500,
  LIMIT_WRITES_PER_MINUTE: 1_500,
  MAX_CONNECTIONS_PER_ADDRESS: 10_000,
};

/** Starts everything. It is stopped at the end of the drill. */
export async function openScene(drilling: Drilling): Promise<Scene> {
  const { folder, atEnd } = drilling;
  const [dataDir, replicaPort] = [join(folder, 'data'), await freePort()];
  const backup = {
    BACKUP_TARGET: join(folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('base64url'),
  };
  const stack = await startSystem(drilling, {
    ...{ ...LIMITS, ...backup, LIVE_PROCESSES: 2 },
    DATABASE_REPLICA_URL: `postgres://unused@127.0.0.1:${replicaPort}/practice`,
  });
  const standby = await startStandby({
    primaryUrl: stack.adminDatabaseUrl,
    primaryFolder: join(dataDir, 'postgres'),
    dataDir: join(folder, 'replica'),
    port: replicaPort,
  });
  atEnd(standby.stop);
  const env = { ...machineEnvironment(), DATA_DIR: dataDir, ...backup };
  const command: Scene['command'] = (program, ...args) =>
    promisify(execFile)(process.execPath, [join(projectFolder, 'infra/dev/bin', `${program}.mjs`), ...args], {
      env,
    });
  const callers = startCallers();
  atEnd(callers.stop);
  const { baseUrl, apikey } = stack;
  await callers.order({ kind: 'calm', baseUrl, apikey, natsUrl: stack.natsUrl('admin'), folder });
  return { stack, standby, callers, folder, streamFolder: join(dataDir, 'nats'), command };
}
