// The disk with Postgres, the stream and the logs of the programs is full for a while.
import { setTimeout as pause } from 'node:timers/promises';
import { readSettings } from '@practice/operator';
import type { System } from '../system.js';
import type { Fault } from './plan.js';

const MEGABYTE = 1_000_000;
/** The system deletes logs, so the rest is taken again and again. Milliseconds. */
const EVERY = 200;

/** The bytes that are left, by target: half of the reserve, at which writes are refused, or nothing. */
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
