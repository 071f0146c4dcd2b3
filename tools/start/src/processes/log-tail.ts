// Prints the processes' log lines in the terminal: warnings and errors, or everything when debugging.
import { closeSync, openSync, readSync } from 'node:fs';
import { sizeOf } from './log-rotation.js';

interface Followed {
  readonly name: string;
  readonly file: string;
  at: number;
}

const EVERY = 400;
const LARGEST_STEP = 1024 * 1024;
const WARNING = 40;

/** Polls the log files for new lines, so the processes never wait for the terminal. */
export function tailLogs({ everything, say }: { everything: boolean; say: (line: string) => void }) {
  const followed: Followed[] = [];
  const look = (): void => {
    for (const log of followed) {
      for (const line of gained(log)) {
        const shown = everything ? line : warning(line);
        if (shown !== undefined) say(`${log.name}: ${shown}`);
      }
    }
  };
  const timer = setInterval(look, EVERY).unref();
  return {
    /** Prints the lines added to a log from now on. */
    follow: (name: string, file: string): void => {
      if (!followed.some((log) => log.file === file)) followed.push({ name, file, at: sizeOf(file) });
    },
    stop: (): void => {
      look();
      clearInterval(timer);
    },
  };
}

export type LogTail = ReturnType<typeof tailLogs>;

/** The complete lines that were added. An incomplete line is returned later. */
function gained(log: Followed): string[] {
  const size = sizeOf(log.file);
  if (size < log.at) log.at = 0;
  if (size === log.at) return [];
  const added = Buffer.alloc(Math.min(size - log.at, LARGEST_STEP));
  try {
    const descriptor = openSync(log.file, 'r');
    try {
      readSync(descriptor, added, 0, added.length, log.at);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
  const whole = added.lastIndexOf(10) + 1;
  log.at += whole === 0 && added.length === LARGEST_STEP ? added.length : whole;
  return whole === 0 ? [] : added.toString('utf8', 0, whole).trimEnd().split('\n');
}

/** The part of a line to show: nothing below a warning. A line that is not JSON comes from a crash. */
function warning(line: string): string | undefined {
  const level = /^\{"level":(\d+)/.exec(line)?.[1];
  if (level === undefined) return line.startsWith('{') ? undefined : line;
  return Number(level) >= WARNING ? brief(line) : undefined;
}

function brief(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}
