// A version of the project: its checkout, and the system that is run by its own `npm start`. Everything known about it comes from its run.json.

import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOfScript, run, startReady } from '@practice/operator';
import { checkOut, type RunFile, type Stack } from '@practice/start';
import type { Process } from '../usage.js';

/**
 * Checks a commit out in a folder of its own, which is kept in CACHE_DIR for the next comparison with it.
 * @param ref a commit, tag or branch
 * @returns its folder, and the abbreviated hash of the commit
 * @throws {Error} if git does not know the ref
 */
export async function versionOf(cacheDir: string, ref: string) {
  const hash = await run('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]).catch(() => {
    throw new Error(`git knows no commit '${ref}'`);
  });
  const commit = hash.slice(0, 12);
  const folder = join(cacheDir, 'versions', commit);
  if (!existsSync(folder)) {
    rmSync(`${folder}.new`, { recursive: true, force: true });
    await checkOut(commit, `${folder}.new`);
    renameSync(`${folder}.new`, folder);
  }
  return { folder, commit };
}

export interface Version extends Pick<Stack, 'baseUrl' | 'apikey' | 'dataDir' | 'stop'> {
  readonly name: string;
  /** The processes that run now, including Postgres and NATS. */
  readonly processes: () => readonly Process[];
}

/** Includes installing and building on a fresh checkout. */
const READY_WITHIN_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 60_000;

/**
 * Starts a version on free ports and an empty data folder, and waits until it is ready.
 * @param env of its `npm start`, without DATA_DIR
 * @throws {Failure} with the end of its output if it does not start
 */
export async function startVersion(
  { name, folder }: { readonly name: string; readonly folder: string },
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Version> {
  const home = mkdtempSync(join(tmpdir(), 'practice-bench-'));
  const dataDir = join(home, 'data');
  const file = join(dataDir, 'run.json');
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  // Postgres runs as another user if root runs this.
  chmodSync(home, 0o755);
  const program = {
    name,
    command: process.execPath,
    args: argumentsOfScript('start', folder),
    cwd: folder,
    env: { ...env, DATA_DIR: dataDir },
    logFile: join(home, 'npm-start.log'),
    orphaned: 'SIGINT' as const,
  };
  const isReady = (): boolean => signal.aborted || existsSync(file);
  const child = await startReady(program, { isReady, within: READY_WITHIN_MS }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const stop = (): Promise<void> => child.stop('SIGINT', STOPPED_WITHIN_MS).then(remove);
  if (signal.aborted) await stop();
  signal.throwIfAborted();
  const read = (): RunFile => JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  const { base_url: baseUrl, apikey } = read();
  return { name, baseUrl, apikey, dataDir, processes: () => read().processes, stop };
}
