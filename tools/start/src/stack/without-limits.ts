import type { Settings } from '@practice/operator';

/** Settings of a system whose only callers are programs of our own, such as a drill. */
export const withoutLimits = {
  LIMIT_READS_PER_MINUTE: 0,
  LIMIT_WRITES_PER_MINUTE: 0,
  LIMIT_AUTH_PER_MINUTE: 0,
  MAX_CONNECTIONS_PER_ADDRESS: 10_000,
} satisfies Partial<Settings>;
