import type { Logger } from './logging.js';

/** The maximum time in which a process stops. Requests have 10 s to finish, and the rest is for closing connections. */
const STOP_WITHIN_MS = 12_000;

/**
 * Ends the process on SIGTERM, on SIGINT, or when the process that started it has ended.
 * @param close finishes the work in progress; the process then ends with status 0, or with 1 if `close` fails or takes too long
 * @param drainMs the milliseconds for which `close` goes on serving first
 */
export function stopOnSignal(logger: Logger, close: () => Promise<void>, drainMs = 0): void {
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS + drainMs).unref();
    close().then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const orphaned = (): void => stop('parent is gone');
  process.on('disconnect', orphaned);
  // If the parent ended while this process was starting, the event is already over.
  if (process.connected === false) orphaned();
}
