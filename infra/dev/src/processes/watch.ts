// Keeps one program running: if it ends by itself, that is said, and it is started again after a pause.
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../failure.js';
import type { Child, Exit } from './child.js';

export interface Watch {
  readonly name: string;
  /** Starts the program and waits until it can do its work; called again whenever it has ended. */
  readonly start: () => Promise<Child>;
  /** Ends it, so that nothing it has begun is lost. */
  readonly stop: (child: Child) => Promise<void>;
  /** Told which process does the work now, and when none does. */
  readonly onChange: (pid: number | undefined) => void;
  readonly say: (line: string) => void;
}

export interface Watched {
  readonly name: string;
  /** Ends the program for good. */
  readonly stop: () => Promise<void>;
}

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** A program that ran this long before it ended had come up well: the next pause is short again. */
const CAME_UP_WELL = 30_000;

/**
 * Starts a program and watches it.
 * @throws what `start` throws, when it fails the first time
 */
export async function watch(watching: Watch): Promise<Watched> {
  let child: Child | undefined = await watching.start();
  const ending = new AbortController();
  const change = (next: Child | undefined): void => {
    child = next;
    watching.onChange(next?.pid);
  };
  change(child);
  const kept = keepRunning(watching, { first: child, change, ending: ending.signal });
  return {
    name: watching.name,
    stop: async () => {
      ending.abort();
      if (child) await watching.stop(child);
      await kept;
      // It may have been on its way up again just then.
      if (child) await watching.stop(child);
      change(undefined);
    },
  };
}

interface Keeping {
  readonly first: Child;
  readonly change: (child: Child | undefined) => void;
  readonly ending: AbortSignal;
}

async function keepRunning(watching: Watch, { first, change, ending }: Keeping): Promise<void> {
  let current: Child | undefined = first;
  let rest = SHORTEST_PAUSE;
  while (!ending.aborted) {
    if (current) {
      const began = Date.now();
      const exit = await current.exited;
      if (ending.aborted) return;
      change(undefined);
      if (Date.now() - began > CAME_UP_WELL) rest = SHORTEST_PAUSE;
      watching.say(`${watching.name} ended by itself (${how(exit)}); starting it again in ${rest / 1000} s.`);
    }
    await pause(rest, undefined, { signal: ending }).catch(() => undefined);
    rest = Math.min(rest * 2, LONGEST_PAUSE);
    if (!ending.aborted) current = await startAgain(watching);
    if (current) change(current);
  }
}

async function startAgain({ name, start, say }: Watch): Promise<Child | undefined> {
  try {
    const child = await start();
    say(`${name} runs again.`);
    return child;
  } catch (error) {
    say(`${name} does not start: ${messageOf(error)}`);
    return undefined;
  }
}

function how({ code, signal }: Exit): string {
  return signal ? `by ${signal}` : `status ${code}`;
}
