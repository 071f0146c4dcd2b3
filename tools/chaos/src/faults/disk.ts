// Fills the disk that holds Postgres, the stream and the logs of the programs for a while.
import { setTimeout as pause } from 'node:timers/promises';
import { readSettings } from '@practice/operator';
import type { System } from '../system.js';
import type { Fault } from './plan.js';

const MEGABYTE = 1_000_000;
/** The system deletes logs, so the disk is filled again at this interval, in milliseconds. */
const EVERY = 200;

/** The free bytes that are left, by target: half of the reserve, where writes are refused, or none. */
export const left: Readonly<Record<string, number>> = {
  reserve: (readSettings({}).DISK_RESERVE_MB * MEGABYTE) / 2,
  everything: 0,
};

export async function fillDisk({ disk }: System, { target, milliseconds }: Fault): Promise<void> {
  if (disk === undefined) throw new Error('this system has no disk of its own');
  try {
    for (const began = Date.now(); Date.now() - began < milliseconds; await pause(EVERY))
      await disk.leave(left[target] as number);
  } finally {
    await disk.restore();
  }
}
