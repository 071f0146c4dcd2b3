// Orders to the process that makes the load, and its result.

import type { Latency } from '../report/statistics.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As many requests as the connections get answered, each connection with one under way. */
export interface Saturate {
  readonly kind: 'saturate';
  readonly origin: string;
  /** One list for each connection, sent from the top again when it ends. */
  readonly lists: readonly (readonly HttpRequest[])[];
  /** Statuses other than 2xx that count as answers, such as 429 for a practice that floods. */
  readonly refusals?: readonly number[];
  readonly warmupSeconds: number;
  readonly seconds: number;
}

/** Requests at even intervals, whatever the answers take. */
export interface Pace {
  readonly kind: 'pace';
  readonly origin: string;
  readonly list: readonly HttpRequest[];
  readonly perSecond: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

export type Order = Saturate | Pace;

export interface LoadResult extends Latency {
  /** Answers within the measured time. */
  readonly completed: number;
  readonly seconds: number;
}
