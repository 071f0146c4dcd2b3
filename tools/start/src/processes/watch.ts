// Keeps a program running. If it ends by itself or hangs, it is started again: at first at once, and after longer pauses if it ends soon each time.
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@practice/process';
import type { Child, Exit } from '@practice/operator';
import { untilUnwell, type HealthCheck } from './health.js';

export interface Watch {
  readonly name: string;
  /** Starts the program and waits until it can do its work; called again whenever it has ended. */
  readonly start: () => Promise<Child>;
  /** Ends it, so that nothing it has begun is lost. */
  readonly stop: (child: Child) => Promise<void>;
  /** Checks whether the program still does its work. */
  readonly health: HealthCheck;
  /** Called with the process that does the work now, or with undefined if no process does it. */
  readonly onChange: (pid: number | undefined) => void;
  readonly say: (line: string) => void;
}

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** A program that ran at least this long before it ended is started again at once. */
const CAME_UP_WELL = 5_000;

/**
 * Starts a program and watches it.
 * @throws what `start` throws, when it fails the first time
 */
export async function watch(watching: Watch) {
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
    /** Ends the program for good. */
    stop: async (): Promise<void> => {
      ending.abort();
      if (child) await watching.stop(child);
      await kept;
      // The program may have been started again at that moment.
      if (child) await watching.stop(child);
      change(undefined);
    },
  };
}

export type Watched = Awaited<ReturnType<typeof watch>>;

interface Keeping {
  readonly first: Child;
  readonly change: (child: Child | undefined) => void;
  readonly ending: AbortSignal;
}

async function keepRunning(watching: Watch, { first, change, ending }: Keeping): Promise<void> {
  let current: Child | undefined = first;
  let rest = 0;
  while (!ending.aborted) {
    if (current) {
      const began = Date.now();
      const end = await endOf(watching, current, ending);
      if (ending.aborted) return;
      change(undefined);
      if (Date.now() - began > CAME_UP_WELL) rest = 0;
      watching.say(
        `${watching.name} ${end}; starting it again ${rest === 0 ? 'now' : `in ${rest / 1000} s`}.`,
      );
    }
    await pause(rest, undefined, { signal: ending }).catch(() => undefined);
    rest = Math.min(Math.max(rest * 2, SHORTEST_PAUSE), LONGEST_PAUSE);
    if (!ending.aborted) current = await startAgain(watching);
    if (current) change(current);
  }
}

/** The time that a hanging program gets to end by itself. */
const ENDS_WITHIN = 2000;

/** Waits until the program ends, and ends it if it hangs. @returns the reason, for a line in the terminal */
async function endOf({ health }: Watch, child: Child, ending: AbortSignal): Promise<string> {
  const gone = new AbortController();
  const exited = child.exited.then((exit) => `ended by itself (${how(exit)})`);
  const noLonger = AbortSignal.any([gone.signal, ending]);
  const unwell = untilUnwell(health, noLonger);
  const end = await Promise.race([exited, unwell.then((reason) => reason ?? exited)]);
  gone.abort();
  if (!ending.aborted) await child.stop('SIGTERM', ENDS_WITHIN);
  return end;
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
