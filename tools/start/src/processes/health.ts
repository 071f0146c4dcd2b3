// Checks whether a program still does its work. A process can exist and do nothing: suspended, in an endless loop, or without its disk.
import { setTimeout as pause } from 'node:timers/promises';

/** `broken`: it answers that it will never do its work again. */
export type Health = 'well' | 'silent' | 'broken';

export interface HealthCheck {
  /** Asks the program. A question that fails or takes longer than `within` is `silent`. */
  readonly ask: () => Promise<Health>;
  /** Milliseconds. */
  readonly within: number;
  /** Pause between two questions, in milliseconds. */
  readonly every: number;
  /** After this number of questions in a row without an answer, the program counts as hanging. */
  readonly tries: number;
}

/** Finds a program that hangs within 10 to 30 s. A busy machine slows a program down less than that. */
export const patient = (ask: HealthCheck['ask']): HealthCheck => ({
  ask,
  within: 4000,
  every: 2000,
  tries: 5,
});

/** Repeats the check. Resolves with the reason why the program must be started again, or `undefined` at `ended`. */
export async function untilUnwell(check: HealthCheck, ended: AbortSignal): Promise<string | undefined> {
  for (let silent = 0; !ended.aborted;) {
    await pause(check.every, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) break;
    const health = await answerOf(check);
    silent = health === 'silent' ? silent + 1 : 0;
    if (health === 'broken') return 'cannot do its work any more';
    if (silent >= check.tries) return 'does not answer';
  }
  return undefined;
}

const answerOf = ({ ask, within }: HealthCheck): Promise<Health> =>
  Promise.race([ask().catch((): Health => 'silent'), pause(within, 'silent' as const, { ref: false })]);
