import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../common/failure.js';
import { programPath } from '../processes/program-path.js';

/**
 * Restores into a volume, unless another container does: both would use the same scratch folder. A claim would not show it, as each
 * container numbers its processes by itself. The kernel frees the lock when this process ends.
 * @throws {Failure} if another container restores into the volume
 */
export async function exclusively(volume: string, restore: () => Promise<void>): Promise<void> {
  const flock = programPath('flock');
  // Every image has it.
  if (flock === undefined) return restore();
  const lock = spawn(flock, ['--nonblock', volume, 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(lock, 'close');
  const isLocked = await Promise.race([once(lock.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!isLocked) throw new Failure('Another restore runs in this volume. Wait until it has ended.');
  await restore().finally(() => lock.stdin.end());
  await ended;
}
