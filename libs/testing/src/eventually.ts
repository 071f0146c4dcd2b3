import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** The time limit in milliseconds. It only ends a test that would never end. Benchmarks measure speed, and a machine may be slow. */
const PATIENCE = 60_000;
const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 100;
const GROWTH = 1.3;

/**
 * Calls `ask` until its result is truthy, and returns that result. The pauses between two calls grow, because a call often sends a
 * request, and many requests would slow down the work that the test waits for.
 * @throws {Error} with `what`, after a minute
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
