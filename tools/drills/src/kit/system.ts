// The whole product for a drill: on servers that the drill has started, in its folder, without limits.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Child,
  DATABASE,
  freePort,
  openCluster,
  readSettings,
  type Settings,
  startPostgres,
  stopPostgres,
  withClient,
  withCredentials,
} from '@practice/operator';
import { type Stack, type StackOptions, startStack, withoutLimits } from '@practice/start';
import type { Drilling } from './drill.js';

/** Starts the product. It is stopped at the end of the drill, if not before. */
export async function startSystem(
  { folder, atEnd }: Drilling,
  given: Partial<Settings>,
  options: Pick<StackOptions, 'onlyServers'> = {},
): Promise<Stack> {
  const settings = {
    ...readSettings({}),
    ...withoutLimits,
    PORT: await freePort(),
    DATA_DIR: join(folder, 'data'),
    CACHE_DIR: readSettings().CACHE_DIR,
    ...given,
  };
  const stack = await startStack({ settings, ...options });
  atEnd(stack.stop);
  return stack;
}

/** Starts a Postgres server beside the product. */
export async function startServer({ folder, atEnd }: Drilling, name: string) {
  const password = randomUUID();
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const cluster = await openCluster(dataDir, () => password);
  const port = await freePort();
  const logFile = join(dataDir, 'postgres.log');
  const start = (): Promise<Child> => startPostgres({ cluster, port, logFile, isFirst: true });
  let child = await start();
  const stop = (): Promise<void> => stopPostgres(child);
  atEnd(stop);
  const url = withCredentials(`postgres://127.0.0.1:${port}/${DATABASE}`, 'postgres', password);
  await ask(url.replace(`/${DATABASE}`, '/postgres'), `CREATE DATABASE ${DATABASE}`);
  return {
    /** URL of the superuser, and of an empty database. */
    url,
    stop,
    /** Starts it again, on the same port. */
    start: async (): Promise<void> => {
      child = await start();
    },
  };
}

export type DrillPostgres = Awaited<ReturnType<typeof startServer>>;

/** Rows of a statement of the superuser. */
export const ask = <Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text, values)).rows);
