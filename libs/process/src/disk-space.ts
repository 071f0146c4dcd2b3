// How much space the disk with the data has. Postgres stops when it cannot write its log, and JetStream until it is started again,
// so callers' writes end before the disk is full.

import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  /** Whether less than the reserve is free. */
  readonly isLow: boolean;
  readonly freeBytes: number;
  /** When a look last found next to nothing free, in milliseconds of `performance.now()`; 0 if none did. */
  readonly fullAt: number;
  stop(): void;
}

export interface DiskSpaceOptions {
  /** A folder on the disk. If it is empty, the disk is not watched and never low. */
  readonly folder: string;
  readonly reserveBytes: number;
  readonly everyMs?: number;
  /** Called after each look. */
  readonly onLook?: (space: DiskSpace) => void;
}

const EVERY_MS = 500;
/** A program may have met a full disk when this little is left: JetStream preallocates blocks of its files. */
const NEARLY_NOTHING = 16_000_000;
/** Space must exceed the reserve by this share before writes go on, so that they do not begin and end all the time. */
const MARGIN = 0.1;

/** Looks at a disk again and again. @returns the space as last seen, after a first look */
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
  // A disk that cannot be asked keeps its last state.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  state.stop = () => clearInterval(timer);
  return state;
}
