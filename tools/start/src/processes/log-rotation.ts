// Keeps the logs small while the programs run. A program holds its log open for appending, so the file stays: its content is
// copied to `<file>.1`, and it is emptied. (logrotate's `copytruncate`. A line that is written between the last copy and the
// truncation is lost.)
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';

/** A log with more bytes than this is put aside. */
const LARGEST_LOG = 16 * 1024 * 1024;
/** Bytes that a log may have while the disk is full. */
const LARGEST_ON_FULL_DISK = 1024 * 1024;

const isLog = (name: string): boolean => name.endsWith('.log');

/** Puts aside the logs of a folder that have grown large. A log that cannot be copied is emptied. */
export function rotateLogs(folder: string, largest = LARGEST_LOG): void {
  for (const file of filesIn(folder, isLog)) if (sizeOf(file) > largest) rotate(file);
}

/** Frees space: deletes the logs that were put aside, and empties logs that are not small. */
export function giveUpLogs(folder: string): void {
  for (const file of filesIn(folder, (name) => name.endsWith('.log.1'))) rmSync(file, { force: true });
  for (const file of filesIn(folder, isLog)) if (sizeOf(file) > LARGEST_ON_FULL_DISK) truncateSync(file);
}

function rotate(file: string): void {
  const aside = `${file}.1`;
  try {
    copyFileSync(file, aside);
    // The bytes that were written while the file was copied.
    appendFileSync(aside, readFileSync(file).subarray(sizeOf(aside)));
  } catch {
    // Most likely there is no space. A log that is cut is better than a disk that is full.
    rmSync(aside, { force: true });
  }
  truncateSync(file);
}

const filesIn = (folder: string, wanted: (name: string) => boolean): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(wanted)
        .map((name) => join(folder, name))
    : [];

/** The bytes of a file; 0 if it does not exist. */
export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
