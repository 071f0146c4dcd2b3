// A JetStream that has lost messages: an older copy of its folder is put in place of it, or none.
import { execFile } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { signalTree } from '@practice/start';
import type { System } from '../system.js';
import type { Fault } from './plan.js';
import { pidOf } from './processes.js';

const NATS = 'nats-server';

/** Copies the folder, goes on for the time of the fault, and then continues from the copy. */
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

/** The server starts with an empty folder. */
export const loseStream = (system: Pick<System, 'stack' | 'streamFolder'>): Promise<void> =>
  replaceBy(() => undefined, system);

/** The server is stopped while its folder is replaced, so it cannot write into the new one before it is killed. */
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
