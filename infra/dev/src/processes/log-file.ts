import { existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const LARGEST = 16 * 1024 * 1024;

/** Opens a log for appending (a file descriptor); one that has grown large is put aside as `<file>.1` first. */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  if (existsSync(file) && statSync(file).size > LARGEST) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log, to show beside a failure. */
export function tailOf(file: string, lines = 12): string {
  if (!existsSync(file)) return '';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
