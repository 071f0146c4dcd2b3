import { messageOf } from '@practice/process';
import { Failure } from './failure.js';

/**
 * Reads the options of a command line. Ends the process after `--help` or a wrong option.
 * @param read returns undefined for `--help`, and throws for a wrong option
 */
export function readOptions<T>(usage: string, read: () => T | undefined): T {
  try {
    const options = read();
    if (options !== undefined) return options;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${messageOf(error).split('. ')[0]}.\n${usage}`);
    process.exit(2);
  }
}

/** Reads the arguments of a command. @throws {Failure} with the usage of the command if the arguments are wrong */
export function understood<T>(usage: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Failure(`${messageOf(error)}\n${usage}`);
  }
}

/**
 * Aborts at the first signal that asks to stop. npm and the terminal both send a signal; the second one is ignored. If the reader of
 * the output ends early (`npm start | head`), the process continues, and is still stopped in order.
 */
export function stopRequests(): AbortController {
  process.stdout.on('error', () => undefined);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  return stopping;
}
