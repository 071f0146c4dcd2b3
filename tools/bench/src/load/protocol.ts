// Requests, the order of a load, and its result.

import type { Latency } from '../report/statistics.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests at even intervals, however long the answers take. */
export interface Pace {
  readonly origin: string;
  readonly list: readonly HttpRequest[];
  readonly perSecond: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

export interface LoadResult extends Latency {
  readonly completed: number;
  readonly seconds: number;
}
