import type { Logger } from './logging.js';

/** Longest time a process takes to stop: requests get 10 s to finish, the rest is closing connections. */
const STOP_WITHIN_MS = 12_000;

/**
 * Ends the process on SIGTERM, SIGINT, or when the process that started it is gone.
 * @param close finishes what was begun; the process ends with status 0 once it has, with 1 when it fails or takes too long
 * @param drainMs milliseconds for which `close` goes on serving first
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
  // The parent may have ended while this process was starting: then the event is over.
  if (process.connected === false) orphaned();
}
