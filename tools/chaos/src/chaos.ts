// `npm run chaos`, once everything is built.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, mountSmallDisk, type SmallDisk } from '@practice/start';
import { say, stopRequests, textOf } from '@practice/operator';
import { eachFault, nextFault, type Fault, type Targets } from './faults/plan.js';
import { readFlags, type Flags } from './flags.js';
import { reportOf } from './report.js';
import { run } from './run.js';

/** The longest pause of a caller between two requests, in milliseconds. */
const REST = 400;

/**
 * Runs until the time is over or a signal arrives, and prints the report. If something was lost, doubled or inconsistent, the exit
 * code is 1, and the data folder and the logs are kept.
 */
export async function chaos(args: readonly string[]): Promise<void> {
  const flags = readFlags(args);
  const { signal } = stopRequests();
  const folder = mkdtempSync(join(tmpdir(), 'practice-chaos-'));
  // Postgres runs as another user if root runs this.
  chmodSync(folder, 0o755);
  const disk = flags.faults.includes('disk') ? diskIn(folder) : undefined;
  try {
    const options = { ...flags, ...(disk && { disk }), rest: REST, folder, say, signal };
    const result = await run({ ...options, faults: (targets) => faultsOf(flags, targets) });
    say(reportOf(result));
    writeFileSync(join(folder, 'result.json'), JSON.stringify(result, null, 2));
    process.exitCode = result.findings.length === 0 ? 0 : 1;
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`\n${textOf(error)}\n`);
  } finally {
    if (disk) await giveUp(disk, { folder, keeps: process.exitCode === 1 });
    if (process.exitCode === 1) say(`The data folder and the logs are kept in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** The size of the disk with the data folder. The largest part of the data is the log of Postgres, with 2 GB. */
const DISK_BYTES = 8_000_000_000;

function diskIn(folder: string): SmallDisk | undefined {
  const disk = mountSmallDisk(join(folder, 'disk'), DISK_BYTES);
  if (disk === undefined) say('  Faults of the disk are left out: this user may not mount a tmpfs.');
  return disk;
}

/** Unmounts the disk. The files of a failed run are copied to the folder before. */
async function giveUp(
  disk: SmallDisk,
  { folder, keeps }: { readonly folder: string; readonly keeps: boolean },
): Promise<void> {
  const data = join(disk.folder, 'data');
  try {
    if (keeps && existsSync(data)) execFileSync('cp', ['-a', data, folder]);
  } finally {
    await disk.unmount();
  }
}

/** Faults until the time is over, or until each target was struck `each` times. */
function* faultsOf({ minutes, seed, faults, each }: Flags, targets: Targets): Iterable<Fault> {
  const random = createRandom(seed);
  if (each !== undefined) return yield* eachFault(random, faults, { targets, times: each });
  for (const began = Date.now(); Date.now() - began < minutes * 60_000;)
    yield nextFault(random, faults, targets);
}
