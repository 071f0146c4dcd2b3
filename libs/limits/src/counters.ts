// Counters of requests: in the memory of this process, or in a Redis (or Valkey) that several processes share.

import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

export interface Counter {
  /** The name of the counter, unique in its store. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

export interface Counters {
  /** A counter with the interface of `rate-limiter-flexible`. It keeps working when the store is unavailable. */
  of(counter: Counter): RateLimiterAbstract;
  close(): void;
}

/** The part of a logger that counters need. A pino logger has this interface. */
export interface CountersLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Counters in the memory of this process. */
export const memoryCounters = (): Counters => ({
  of: ({ name, points, seconds }) => new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
  close: () => undefined,
});
