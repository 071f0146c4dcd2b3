import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readSettings, startStack, templateFolder } from '@practice/dev';
import type { Extra, StackOptions } from '@practice/dev';

/** A system that one spec has for itself, with as many processes as it starts: for specs that take some away. */
export interface OwnStack {
  /** @param env what differs from the environment that the supervisor would give it */
  readonly start: (service: string, env?: Readonly<Record<string, string>>) => Promise<Extra>;
  readonly adminDatabaseUrl: string;
  /** URL of the database with the credentials of one of its roles. */
  readonly databaseUrl: (role: string) => string;
  readonly dataDir: string;
  /** URL with the credentials of a NATS user. */
  readonly natsUrl: (user: string) => string;
  readonly stop: () => Promise<void>;
}

export interface OwnStackOptions {
  /** A new folder in the one for temporary files, unless given. */
  readonly dataDir?: string;
  readonly settings?: StackOptions['settings'];
}

/** Postgres and NATS, migrated, with the secrets and the API key of the system that specs share, and without limits. */
export async function ownStack({
  dataDir = join(tmpdir(), `practice-own-${randomUUID()}`),
  settings: given,
}: OwnStackOptions = {}): Promise<OwnStack> {
  await promisify(execFile)('cp', ['-a', templateFolder(), dataDir]);
  const limits = { LIMIT_READS_PER_MINUTE: 0, LIMIT_WRITES_PER_MINUTE: 0, LIMIT_AUTH_PER_MINUTE: 0 };
  const settings = { ...readSettings({}), ...limits, PORT: 0, DATA_DIR: dataDir, ...given };
  const own = await startStack({ settings, onlyServers: true });
  return {
    start: (service, env) => own.spawnProcess(service, env),
    adminDatabaseUrl: own.adminDatabaseUrl,
    databaseUrl: own.databaseUrl,
    dataDir,
    natsUrl: own.natsUrl,
    stop: async () => {
      await own.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
