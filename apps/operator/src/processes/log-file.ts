import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Opens a log for appending (a file descriptor). */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log, to show with a failure. */
export function tailOf(file: string, lines = 12): string {
  if (!existsSync(file)) return '';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
