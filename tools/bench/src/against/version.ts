// One version of the project, run by its own `npm start`. Everything known about it comes from its run.json.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { argumentsOfScript } from '@practice/operator';
import type { Process } from '../usage.js';

export interface Version {
  readonly name: string;
  /** Origin of its API. */
  readonly baseUrl: string;
  readonly apikey: string;
  readonly dataDir: string;
  /** The processes that run now, including Postgres and NATS. */
  readonly processes: () => readonly Process[];
  readonly stop: () => Promise<void>;
}

export interface VersionOptions {
  readonly name: string;
  readonly folder: string;
  /** Environment of its `npm start`, without DATA_DIR. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface RunFile {
  readonly base_url: string;
  readonly apikey: string;
  readonly processes: readonly Process[];
}

/** Includes installing and building on a fresh checkout. */
const READY_WITHIN_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 60_000;

/**
 * Starts a version on free ports and an empty data folder, and waits until it is ready.
 * @throws {Error} with the end of its output if it does not start
 */
export async function startVersion({ name, folder, env, signal }: VersionOptions): Promise<Version> {
  const dataDir = mkdtempSync(join(tmpdir(), 'practice-bench-'));
  const child = spawn(process.execPath, argumentsOfScript('start', folder), {
    cwd: folder,
    env: { ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output = (output + part.toString()).slice(-4000)));
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  const file = join(dataDir, 'run.json');
  const read = (): RunFile => JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!existsSync(file)) {
    if (child.exitCode !== null || signal.aborted || Date.now() > deadline) {
      await stop();
      signal.throwIfAborted();
      throw new Error(`${name} did not start. The end of its output:\n${output}`);
    }
    await pause(100);
  }
  const { base_url: baseUrl, apikey } = read();
  return { name, baseUrl, apikey, dataDir, processes: () => read().processes, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
