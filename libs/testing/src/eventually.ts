import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Asks again and again until the answer is truthy, and gives that answer.
 * @throws {Error} saying what was waited for, after 15 s
 */
export async function eventually<T>(what: string, ask: () => Promise<T> | T): Promise<Truthy<T>> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await pause(5)) {
    const answer = await ask();
    if (answer) return answer as Truthy<T>;
  }
  throw new Error(`waited in vain until ${what}`);
}
