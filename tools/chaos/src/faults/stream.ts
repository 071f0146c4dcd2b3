// A JetStream that has lost messages: its folder is replaced by an older copy, or by an empty one.
import { execFile } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { signalTree } from '@practice/start';
import type { System } from '../system.js';
import type { Fault } from './plan.js';
import { pidOf } from './processes.js';

const NATS = 'nats-server';

/** Copies the folder, lets the server run for the time of the fault, and then starts it from the copy. */
export async function rollStreamBack(
  { stack, streamFolder }: System,
  { milliseconds }: Fault,
): Promise<void> {
  const copy = `${streamFolder}-copy`;
  const goOn = signalTree(await pidOf(stack, NATS), 'SIGSTOP');
  await promisify(execFile)('cp', ['-a', streamFolder, copy]).finally(goOn);
  await pause(milliseconds);
  await replaceBy(() => renameSync(copy, streamFolder), { stack, streamFolder });
}

/** Restarts the server with an empty folder. */
export const loseStream = (system: Pick<System, 'stack' | 'streamFolder'>): Promise<void> =>
  replaceBy(() => undefined, system);

/** Replaces the folder. The server is suspended meanwhile, so that it cannot write into the new folder before it is killed. */
async function replaceBy(
  replace: () => void,
  { stack, streamFolder }: Pick<System, 'stack' | 'streamFolder'>,
): Promise<void> {
  const pid = await pidOf(stack, NATS);
  const old = `${streamFolder}-old`;
  signalTree(pid, 'SIGSTOP');
  renameSync(streamFolder, old);
  replace();
  process.kill(pid, 'SIGKILL');
  await pidOf(stack, NATS, pid);
  rmSync(old, { recursive: true, force: true });
}
