import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStack, templateFolder } from './stack.js';
import type { Stack, StackOptions } from './tools.js';

/** A system that one spec has for itself, with as many processes as it starts: for specs that take some away. */
export interface OwnStack extends Pick<
  Stack,
  'adminDatabaseUrl' | 'databaseUrl' | 'dataDir' | 'natsUrl' | 'stop'
> {
  /** Starts a process; `env` differs from the environment that the supervisor would give it. */
  readonly start: Stack['spawnProcess'];
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
    ...own,
    start: own.spawnProcess,
    stop: async () => {
      await own.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
