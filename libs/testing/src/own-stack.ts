import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStack, templateFolder } from './stack.js';
import type { Stack, StackOptions } from './tools.js';

/** A system for one spec, with only the processes that the spec starts. For specs that stop processes. */
export interface OwnStack extends Pick<
  Stack,
  'adminDatabaseUrl' | 'databaseUrl' | 'dataDir' | 'natsUrl' | 'stop'
> {
  /** Starts a process. `env` overrides variables of the environment that the supervisor would give it. */
  readonly start: Stack['spawnProcess'];
}

export interface OwnStackOptions {
  /** The data folder; a new temporary folder if omitted. */
  readonly dataDir?: string;
  readonly settings?: StackOptions['settings'];
}

/** Starts Postgres and NATS, migrated, with the secrets and the API key of the shared system, and without limits. */
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
