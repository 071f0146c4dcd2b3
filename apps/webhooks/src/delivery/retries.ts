// When an event is sent again.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt. After one more failure, the webhook is failing. */
export const RETRY_AFTER_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];

/**
 * When the event is sent again; null if it is not.
 * @param failures failed attempts at the event, this one included
 * @param now milliseconds since the epoch
 */
export function retryAt(failures: number, now: number): Date | null {
  const wait = RETRY_AFTER_MS[failures - 1];
  return wait === undefined ? null : new Date(now + wait);
}
