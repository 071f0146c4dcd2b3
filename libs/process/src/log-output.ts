// Writes log lines to a file descriptor. A log must never stop its process. Lines that cannot be written, because the disk is full or
// the reader has ended, wait in a buffer. When the buffer is full, lines are dropped and counted. pino's own destination would end the
// process with an unhandled error, and its `flushSync` would never return (sonic-boom 4.2).

import { write as writeAsync, writeSync } from 'node:fs';

export interface LogOutputOptions {
  readonly fd: number;
  /** The maximum number of bytes that wait. */
  readonly most?: number;
  /** Milliseconds until a failed write is tried again. */
  readonly retryMs?: number;
  /** Called with the number of dropped lines when lines can be written again. */
  readonly onLost: (lines: number) => void;
}

const MOST_WAITING = 1024 * 1024;
const RETRY_MS = 1000;
const NEWLINE = 10;

export class LogOutput {
  private readonly waiting: Buffer[] = [];
  private bytes = 0;
  private lost = 0;
  private isBusy = false;

  constructor(private readonly options: LogOutputOptions) {}

  /** Takes whole lines. */
  write(lines: Buffer): void {
    if (this.bytes + lines.length > (this.options.most ?? MOST_WAITING)) {
      this.lost += lines.filter((byte) => byte === NEWLINE).length;
      return;
    }
    this.bytes += lines.length;
    this.waiting.push(lines);
    this.next();
  }

  /** Writes the waiting lines, for a process that is about to end. It gives up if that is not possible at once. */
  flushSync(): void {
    const { fd } = this.options;
    try {
      for (let [lines] = this.waiting; lines !== undefined; [lines] = this.waiting)
        this.written(writeSync(fd, lines));
    } catch {
      // The process is ending. Waiting for space would prevent that.
    }
  }

  private next(): void {
    const [lines] = this.waiting;
    if (lines === undefined || this.isBusy) return;
    this.isBusy = true;
    writeAsync(this.options.fd, lines, (error, count) => {
      if (error === null) this.goOn(count);
      else setTimeout(() => this.goOn(0), this.options.retryMs ?? RETRY_MS).unref();
    });
  }

  private goOn(count: number): void {
    this.isBusy = false;
    this.written(count);
    if (this.lost > 0 && this.waiting.length === 0) this.report();
    this.next();
  }

  private written(count: number): void {
    this.bytes -= count;
    const rest = this.waiting[0]?.subarray(count);
    if (rest === undefined || rest.length === 0) this.waiting.shift();
    else this.waiting[0] = rest;
  }

  private report(): void {
    const lines = this.lost;
    this.lost = 0;
    this.options.onLost(lines);
  }
}
