import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStack, templateFolder } from './stack.js';
import type { Extra, StackOptions } from './tools.js';

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
  settings,
}: OwnStackOptions = {}): Promise<OwnStack> {
  await promisify(execFile)('cp', ['-a', templateFolder(), dataDir]);
  const own = await startStack({ settings: { DATA_DIR: dataDir, ...settings }, onlyServers: true });
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
