// Structured logs: JSON lines on standard output. They are written in batches, so that a line costs a request almost nothing.
// Every call lists the fields that it logs, so that no row, note, name or token can get into a log by accident.

import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import type { LogLevel } from '@practice/settings';
import { gatherLines } from './log-lines.js';
import { LogOutput } from './log-output.js';
import { messageOf } from './message-of.js';

export type { Logger } from 'pino';

export const LOGGER = Symbol('logger');

/** The size of a batch in bytes. The cost of a write is per call, not per byte, so hundreds of lines share a call. */
const GATHERED_BYTES = 32 * 1024;

const FLUSH_EVERY_MS = 1000;

/** The logger of a process. Lines are written within a second, or when 32 KiB have been collected. */
export function createLogger(service: string, level: LogLevel): Logger {
  const output = new LogOutput({
    fd: 1,
    onLost: (dropped) => logger.warn({ dropped }, 'log lines could not be written and were dropped'),
  });
  const lines = gatherLines(GATHERED_BYTES, (bytes) => output.write(bytes));
  setInterval(lines.flush, FLUSH_EVERY_MS).unref();
  process.on('exit', () => {
    lines.flush();
    output.flushSync();
  });
  const logger = pino({ level, base: { service }, serializers: { err: errorFields } }, lines);
  return logger;
}

/** The fields of an error that may be logged. The `detail` and the parameters of Postgres are left out: they would repeat a caller's data. */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: messageOf(error) };
  const { code, constraint } = error as { code?: string; constraint?: string };
  return { type: error.name, message: error.message, code, constraint, stack: error.stack };
}

/** A logger for Nest that writes its messages to this logger. */
export function nestLogger(logger: Logger): LoggerService {
  const at =
    (level: 'info' | 'error' | 'warn' | 'debug' | 'trace') =>
    (message: unknown, ...rest: unknown[]): void =>
      logger[level]({ context: rest.at(-1) }, messageOf(message));
  return { log: at('debug'), error: at('error'), warn: at('warn'), debug: at('debug'), verbose: at('trace') };
}
