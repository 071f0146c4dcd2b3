// The disk with the data folder. The supervisor keeps the logs small, and deletes or empties them first when the disk is almost full.
import { watchDisk, type DiskSpace } from '@practice/process';
import type { Settings } from '@practice/operator';
import { giveUpLogs, rotateLogs } from '../processes/log-rotation.js';

const EVERY_MS = 1000;
const MEGABYTE = 1_000_000;

/** The space that the writes of callers leave free, in bytes. */
export const reserveOf = ({ DISK_RESERVE_MB }: Settings): number => DISK_RESERVE_MB * MEGABYTE;

/** Watches the disk until it is stopped, with a line for the terminal at the beginning and the end of a shortage. */
export function keepSpace(
  settings: Settings,
  { logDir, say }: { readonly logDir: string; readonly say: (line: string) => void },
): Promise<DiskSpace> {
  let wasLow = false;
  return watchDisk({
    folder: settings.DATA_DIR,
    reserveBytes: reserveOf(settings),
    everyMs: EVERY_MS,
    onLook: ({ isLow, freeBytes }) => {
      if (isLow !== wasLow) say(isLow ? lowOn(freeBytes) : 'The disk with DATA_DIR has space again.');
      wasLow = isLow;
      if (isLow) giveUpLogs(logDir);
      else rotateLogs(logDir);
    },
  });
}

const lowOn = (bytes: number): string =>
  `The disk with DATA_DIR has ${Math.floor(bytes / MEGABYTE)} MB left, less than DISK_RESERVE_MB: ` +
  'writes are refused until there is more.';
