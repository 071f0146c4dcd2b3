// Where requests are counted: in this process's memory, or in a Redis (or Valkey) that several gateways share.

import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

export interface Counter {
  /** Unique among the counters of a store. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

export interface Counters {
  /** A counter, behind the library's own interface; it answers, whatever becomes of the store. */
  of(counter: Counter): RateLimiterAbstract;
  close(): void;
}

/** Counters of one gateway alone. */
export const memoryCounters = (): Counters => ({
  of: ({ name, points, seconds }) => new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
  close: () => undefined,
});
