import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** Milliseconds. A machine may be slow, and speed is measured in benchmarks: this bound only ends a test that would never end. */
const PATIENCE = 60_000;
const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 100;
const GROWTH = 1.3;

/**
 * Asks again and again until the answer is truthy, and gives that answer. The pauses between two questions grow, because a
 * question is often a request, and many requests keep the processors from what is waited for.
 * @throws {Error} saying what was waited for, after a minute
 */
export async function eventually<T>(what: string, ask: () => Promise<T> | T): Promise<Truthy<T>> {
  const deadline = Date.now() + PATIENCE;
  for (let rest = SHORTEST_PAUSE; Date.now() < deadline; rest = Math.min(rest * GROWTH, LONGEST_PAUSE)) {
    const answer = await ask();
    if (answer) return answer as Truthy<T>;
    await pause(rest);
  }
  throw new Error(`waited in vain until ${what}`);
}
