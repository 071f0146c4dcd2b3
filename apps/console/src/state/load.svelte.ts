// Data of a screen: read when what it depends on changes, and shown until the new data is here.

import { ApiError, type Problem } from '../api/client.js';
import { asOf } from './as-of.svelte.js';
import { follow } from './live.svelte.js';

export const PATIENCE_MS = 300;

export class Loaded<Data> {
  data = $state.raw<Data>();
  problem = $state.raw<Problem>();
  /** True once the user has waited for a noticeable time. */
  isSlow = $state(false);
  /** The most rows that are read. */
  most = $state(0);
  /** Whether the data has as many rows as were asked for. */
  mayHaveMore = $state(false);

  constructor(private readonly page: number) {
    this.most = page;
  }

  showMore(): void {
    this.most += this.page;
  }
}

/**
 * Reads now and after each change. Call it while a component is made.
 * @param resources whose changes matter
 * @param fetcher reads with the instant of the past that is shown, or null
 */
export const load = <Data>(
  resources: readonly string[],
  fetcher: (at: string | null) => Promise<Data>,
): Loaded<Data> => loadPages(resources, Infinity, fetcher);

/** The same for rows: so many at first, and so many more each time. @param fetcher takes the most rows, too */
export function loadPages<Data>(
  resources: readonly string[],
  page: number,
  fetcher: (at: string | null, most: number) => Promise<Data>,
): Loaded<Data> {
  const loaded = new Loaded<Data>(page);
  $effect(() => {
    follow(resources);
    let isOver = false;
    const timer = setTimeout(() => (loaded.isSlow = true), PATIENCE_MS);
    const { most } = loaded;
    fetcher(asOf.at, most)
      .then((data) => {
        if (isOver) return;
        loaded.data = data;
        loaded.mayHaveMore = Array.isArray(data) && data.length >= most;
        loaded.problem = undefined;
      })
      .catch((error: unknown) => {
        if (!isOver) loaded.problem = problemOf(error);
      })
      .finally(() => {
        clearTimeout(timer);
        if (!isOver) loaded.isSlow = false;
      });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  });
  return loaded;
}

export const problemOf = (error: unknown): Problem =>
  error instanceof ApiError ? error.problem : (error as Problem);
