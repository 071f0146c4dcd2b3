import { latencyOf } from '../report/statistics.js';
import type { LoadResult } from './protocol.js';

/** Counts the answers that come between the end of the warm-up and the end of the measurement. */
export interface Tally {
  /** Begins the warm-up, when the first request goes out. */
  begin(): void;
  answered(status: number, milliseconds: number): void;
  failed(reason: string): void;
  /** @throws {Error} when an answer had a status other than 2xx, or did not come */
  result(): LoadResult;
}

interface Span {
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Statuses other than 2xx that count as answers. */
  readonly refusals?: readonly number[];
}

/** @param measuring called when the warm-up is over */
export function createTally({ warmupSeconds, seconds, refusals = [] }: Span, measuring: () => void): Tally {
  const latencies: number[] = [];
  let from = Infinity;
  let failures = 0;
  let failure: string | undefined;
  const failed = (reason: string): void => {
    failures += 1;
    failure ??= reason;
  };
  return {
    begin: () => {
      from = performance.now() + warmupSeconds * 1000;
      setTimeout(measuring, warmupSeconds * 1000);
    },
    answered: (status, milliseconds) => {
      if ((status < 200 || status > 299) && !refusals.includes(status)) failed(`status ${status}`);
      const now = performance.now();
      if (now >= from && now < from + seconds * 1000) latencies.push(milliseconds);
    },
    failed,
    result: () => {
      if (failures > 0) throw new Error(`${failures} requests failed: ${failure}`);
      return { completed: latencies.length, seconds, ...latencyOf(latencies) };
    },
  };
}
