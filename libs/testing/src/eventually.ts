import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until the answer is truthy, and gives that answer.
 * @throws {Error} saying what was waited for, after 15 s
 */
export async function eventually<T>(what: string, ask: () => Promise<T> | T): Promise<T> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await pause(5)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`waited in vain until ${what}`);
}
