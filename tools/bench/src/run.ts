// The context of a run of any kind, and the steps that several kinds share.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Stack, startStack } from '@practice/start';
import type { Stages } from '@practice/operator';
import { settingsFor } from './bench.config.js';
import type { Flags } from './flags.js';
import type { LoadResult, Pace } from './load/protocol.js';
import { requireWrk } from './load/wrk.js';
import type { Bench } from './measurement.js';
import type { Sizes } from './sizes.js';
import { startWorker } from './worker.js';

export interface Run {
  readonly flags: Flags;
  readonly signal: AbortSignal;
  readonly stages: Stages;
  readonly say: (line: string) => void;
  /** Receives what must be closed at the end, in reverse order. */
  readonly closing: (() => unknown)[];
}

/**
 * Starts the product in a folder of its own, and connects as the owner of the database.
 * @param sharedSecret secret with which another issuer signs tokens; empty: no other issuer
 */
export async function startOwnStack(
  { signal, closing, say }: Run,
  sharedSecret = '',
): Promise<{ stack: Stack; admin: pg.Client }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'practice-bench-'));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const stack = await startStack({ settings: settingsFor(dataDir, sharedSecret), print: say, signal });
  closing.push(stack.stop);
  const admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  admin.on('error', () => undefined);
  await admin.connect();
  closing.push(() => admin.end());
  return { stack, admin };
}

/** Starts the generator of paced load, and installs wrk if it is missing. */
export function startLoad({ closing, signal }: Run, sizes: Sizes): Bench {
  requireWrk();
  const pacer = startWorker<Pace, LoadResult>('load/pace');
  closing.push(pacer.stop);
  return { pacer, sizes, signal };
}

/** Prints a line for each measurement, with the time since the first one began. */
export function progress({ say }: Run): (line: string) => void {
  const began = performance.now();
  return (line) =>
    say(
      `  Measured: ${line}`.padEnd(61) + `${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s`,
    );
}

/** Writes the whole result to the file of `--json`, if there is one. */
export function writeJson({ flags: { json } }: Run, result: object): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
}
