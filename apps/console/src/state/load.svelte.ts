// Data of a screen. It is read again when its resources or the shown instant change. Until then, the old data is shown.

import { ApiError, type Problem, secondsUntilRetry } from '../api/client.js';
import { asOf } from './as-of.svelte.js';
import { follow } from './live.svelte.js';

export const PATIENCE_MS = 300;

export class Loaded<Data> {
  data = $state.raw<Data>();
  problem = $state.raw<Problem>();
  /** True once the user has waited for a noticeable time. */
  isSlow = $state(false);
  /** Whether the data is the answer to the latest request. */
  isCurrent = $state(false);
  /** The maximum number of rows that are read. */
  most = $state(0);
  /** Whether the data has as many rows as requested, so there may be more. */
  mayHaveMore = $state(false);

  /** The number of repetitions after problems that end by themselves. */
  retries = $state(0);

  constructor(private readonly page: number) {
    this.most = page;
  }

  showMore(): void {
    this.most += this.page;
  }
}

/**
 * Reads data now and after each change. Call it while a component is created.
 * @param resources the resources whose changes matter
 * @param fetcher reads the data at the past instant that is shown, or now if it is null
 */
export const load = <Data>(
  resources: readonly string[],
  fetcher: (at: string | null) => Promise<Data>,
): Loaded<Data> => loadPages(resources, Infinity, fetcher);

/** Like `load`, for rows: one page at first, and one more page each time. @param fetcher also gets the maximum number of rows */
export function loadPages<Data>(
  resources: readonly string[],
  page: number,
  fetcher: (at: string | null, most: number) => Promise<Data>,
): Loaded<Data> {
  const loaded = new Loaded<Data>(page);
  $effect(() => {
    follow(resources);
    let isOver = false;
    loaded.isCurrent = false;
    const timer = setTimeout(() => (loaded.isSlow = true), PATIENCE_MS);
    let again: ReturnType<typeof setTimeout> | undefined;
    const { most } = loaded;
    void loaded.retries;
    fetcher(asOf.at, most)
      .then((data) => {
        if (isOver) return;
        loaded.data = data;
        loaded.isCurrent = true;
        loaded.mayHaveMore = Array.isArray(data) && data.length >= most;
        loaded.problem = undefined;
      })
      .catch((error: unknown) => {
        if (isOver) return;
        loaded.problem = problemOf(error);
        const seconds = secondsUntilRetry(loaded.problem);
        if (seconds) again = setTimeout(() => (loaded.retries += 1), seconds * 1000);
      })
      .finally(() => {
        clearTimeout(timer);
        if (!isOver) loaded.isSlow = false;
      });
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(again);
    };
  });
  return loaded;
}

export const problemOf = (error: unknown): Problem =>
  error instanceof ApiError ? error.problem : (error as Problem);
