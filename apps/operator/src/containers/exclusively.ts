import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Failure } from '../common/failure.js';
import { machineEnvironment } from '../settings/operator.config.js';

/** The status of flock if another process has the lock. */
const TAKEN = 75;

/**
 * Restores into a volume, or tries a restore there, unless another container does, because both would write to the same volume. A
 * claim would not show it, as each container numbers its processes by itself.
 * @throws {Failure} if another container restores into the volume, or the volume cannot be locked
 */
export async function exclusively(volume: string, restore: () => Promise<void>): Promise<void> {
  // The lock belongs to the open file, not to flock: the kernel frees it when this process ends.
  const opened = openSync(volume, 'r');
  try {
    lock(volume, opened);
    await restore();
  } finally {
    closeSync(opened);
  }
}

function lock(volume: string, opened: number): void {
  const { status, stderr, error } = spawnSync('flock', ['--nonblock', '-E', String(TAKEN), '3'], {
    stdio: ['ignore', 'ignore', 'pipe', opened],
    env: machineEnvironment(),
    encoding: 'utf8',
  });
  if (status === TAKEN)
    throw new Failure('Another restore, or the trial of one, runs in this volume. Wait until it has ended.');
  if (error) throw new Failure(`flock, of the package util-linux, cannot be run: ${error.message}`);
  if (status !== 0) throw new Failure(`${volume} cannot be locked: ${stderr.trim()}`);
}
