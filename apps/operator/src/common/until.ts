import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  /** How long to keep asking, in milliseconds. */
  readonly within: number;
  /** Pause between two questions, in milliseconds. */
  readonly every?: number;
}

/** Asks until the answer is neither `undefined` nor `false`, and gives it; `undefined` when time runs out. */
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
