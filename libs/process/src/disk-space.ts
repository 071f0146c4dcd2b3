// Watches the free space of the disk with the data. On a full disk, Postgres stops because it cannot write its log, and JetStream stops
// until it is restarted. So callers' writes are refused before the disk is full.

import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  /** Whether less than the reserve is free. */
  readonly isLow: boolean;
  readonly freeBytes: number;
  /** When a check last found almost no free space, in milliseconds of `performance.now()`; 0 if none has. */
  readonly fullAt: number;
  stop(): void;
}

export interface DiskSpaceOptions {
  /** A folder on the disk. If the path is empty, the disk is not watched and is never low. */
  readonly folder: string;
  readonly reserveBytes: number;
  readonly everyMs?: number;
  /** Called after each check. */
  readonly onLook?: (space: DiskSpace) => void;
}

const EVERY_MS = 500;
/** With less free space than this, a program may already have met a full disk: JetStream preallocates blocks of its files. */
const NEARLY_NOTHING = 16_000_000;
/** The free space must exceed the reserve by this share before writes are allowed again, so that the state does not alternate. */
const MARGIN = 0.1;

/** Checks the space of a disk at intervals. @returns the result of the last check, after the first one */
export async function watchDisk(options: DiskSpaceOptions): Promise<DiskSpace> {
  const { folder, reserveBytes, everyMs = EVERY_MS, onLook } = options;
  const state = { isLow: false, freeBytes: Infinity, fullAt: 0, stop: (): void => undefined };
  if (folder === '') return state;
  const look = async (): Promise<void> => {
    const { bavail, bsize } = await statfs(folder);
    state.freeBytes = bavail * bsize;
    if (state.freeBytes < Math.min(NEARLY_NOTHING, reserveBytes)) state.fullAt = performance.now();
    state.isLow = state.freeBytes < reserveBytes * (state.isLow ? 1 + MARGIN : 1);
    onLook?.(state);
  };
  await look();
  // If a check fails, the last state stays.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  state.stop = () => clearInterval(timer);
  return state;
}
