import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  /** Time limit in milliseconds. */
  readonly within: number;
  /** Pause between two calls, in milliseconds. */
  readonly every?: number;
}

/** Calls `ask` until it returns something other than `undefined` and `false`. @returns the answer; `undefined` when time runs out */
export async function until<T>(
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  { within, every = 25 }: Patience,
): Promise<T | undefined> {
  const deadline = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() >= deadline) return undefined;
    await pause(every);
  }
}
