// `--fresh`: deletes the data that this product has written to its data folder, and nothing else.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { claim, externalServers, Failure, removeData, type Settings } from '@practice/operator';

/**
 * Everything except databases that a restore has put aside, and `keys`: a restored backup is erased again from the ledgers in it.
 * The next start writes new keys beside them.
 */
const entries = [
  ...['postgres', 'nats', 'nats-server.conf', 'logs', 'format', 'migrated', 'restored', 'verified.json'],
  ...['secrets.json', 'nats-readers.json', 'run.json', 'metrics-targets.json', 'verify'],
];

/**
 * Deletes all data, after asking.
 * @throws {Failure} if the user did not agree, if a system runs on it, or if the database is not the built-in one
 */
export async function clearData(settings: Settings, isAgreed: boolean): Promise<void> {
  const dataDir = resolve(settings.DATA_DIR);
  const others = externalServers(settings).join(', ');
  if (others !== '') throw new Failure(`--fresh deletes only the built-in database, not that of ${others}.`);
  if (!entries.some((entry) => existsSync(join(dataDir, entry)))) return;
  if (!isAgreed) await ask(dataDir);
  const claimed = await claim(dataDir);
  for (const entry of entries) removeData(join(dataDir, entry));
  claimed.release();
}

async function ask(dataDir: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Failure(`--fresh deletes all data in ${dataDir}: add --yes to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Delete all data in ${dataDir}? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was deleted.');
}
