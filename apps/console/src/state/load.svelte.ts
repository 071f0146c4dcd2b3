// Data of a screen. It is read again when its resources or the shown instant change. Until then, the old data is shown.

import { untrack } from 'svelte';
import { ApiError, type Problem, secondsUntilRetry, type When } from '../api/client.js';
import { asOf } from './as-of.svelte.js';
import { follow } from './live.svelte.js';

export const PATIENCE_MS = 300;
/** Keys of one word follow each other within this time. */
const BETWEEN_KEYS_MS = 250;
/** The API answers a read within 3 seconds. After this time, the connection counts as lost. */
const ANSWERS_WITHIN_MS = 5_000;

export class Loaded<Data> {
  data = $state.raw<Data>();
  problem = $state.raw<Problem>();
  /** True once the user has waited for a noticeable time for what is asked for. */
  isSlow = $state(false);
  /** Whether the data is the answer to what is asked for. A read after a change asks for the same again. */
  isCurrent = $state(false);
  /** The maximum number of rows that are read. */
  most = $state(0);
  /** Whether the data has as many rows as requested, so there may be more. */
  mayHaveMore = $state(false);

  /** The number of repetitions after problems that end by themselves. */
  retries = $state(0);
  /** The number of reads because of changes. */
  reloads = $state(0);
  private isReading = false;
  private isStale = false;

  /** Whether the data is not yet what the user has asked for. A read after a change by others is not asked for. */
  isOwed = true;
  private reloaded = -1;
  private began = 0;

  constructor(private readonly page: number) {
    this.most = page;
  }

  /** Notes that a read begins. @returns whether a key of the same word has begun the read before */
  begin(): boolean {
    void this.retries;
    const isAsked = this.reloads === this.reloaded;
    const isTyping = isAsked && Date.now() - this.began < BETWEEN_KEYS_MS;
    this.isOwed ||= isAsked;
    if (isAsked) this.isCurrent = false;
    this.isStale = false;
    this.isReading = true;
    [this.reloaded, this.began] = [this.reloads, Date.now()];
    return isTyping;
  }

  /** Reads again after a change, and after the running read: during many changes, no read would end otherwise. */
  reload(): void {
    if (this.isReading && Date.now() - this.began < ANSWERS_WITHIN_MS) this.isStale = true;
    else this.reloads += 1;
  }

  end(): void {
    this.isReading = this.isSlow = false;
    if (this.isStale) this.reload();
  }

  answer(data: Data): void {
    // The same data again does not draw the screen again: a press on an element that is replaced is lost.
    if (JSON.stringify(data) !== JSON.stringify(this.data)) this.data = data;
    this.isCurrent = true;
    this.isOwed = false;
    this.mayHaveMore = Array.isArray(data) && data.length >= this.most;
    this.problem = undefined;
  }

  showMore(): void {
    this.most += this.page;
  }
}

/**
 * Reads data now and after each change. A new read ends the one before, and so does the end of the component.
 * Call it while a component is created.
 * @param resources the resources whose changes matter
 * @param fetcher reads the data at the past instant that is shown, or now
 */
export const load = <Data>(
  resources: readonly string[],
  fetcher: (at: When) => Promise<Data>,
): Loaded<Data> => loadPages(resources, Infinity, fetcher);

/** Like `load`, for rows: one page at first, and one more page each time. @param fetcher also gets the maximum number of rows */
export function loadPages<Data>(
  resources: readonly string[],
  page: number,
  fetcher: (at: When, most: number) => Promise<Data>,
): Loaded<Data> {
  const loaded = new Loaded<Data>(page);
  let changes = untrack(() => follow(resources));
  $effect(() => {
    const now = follow(resources);
    if (now !== changes) untrack(() => loaded.reload());
    changes = now;
  });
  $effect(() => {
    const isTyping = loaded.begin();
    const over = new AbortController();
    const { signal } = over;
    const timer = setTimeout(() => (loaded.isSlow = loaded.isOwed), PATIENCE_MS);
    let again: ReturnType<typeof setTimeout> | undefined;
    const { most } = loaded;
    const due = isTyping && new Promise<void>((resolve) => setTimeout(resolve, BETWEEN_KEYS_MS));
    fetcher({ asOf: asOf.at, signal, ...(due && { due }) }, most)
      .then((data) => signal.aborted || loaded.answer(data))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        loaded.problem = problemOf(error);
        const seconds = secondsUntilRetry(loaded.problem);
        if (seconds) again = setTimeout(() => (loaded.retries += 1), seconds * 1000);
      })
      .finally(() => {
        clearTimeout(timer);
        if (!signal.aborted) loaded.end();
      });
    return () => {
      over.abort();
      clearTimeout(timer);
      clearTimeout(again);
    };
  });
  return loaded;
}

export const problemOf = (error: unknown): Problem =>
  error instanceof ApiError ? error.problem : (error as Problem);
