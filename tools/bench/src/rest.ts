// Waits until the product has finished the work behind its responses: relays, subscriptions, Postgres' writers. The next measurement
// then does not pay for the one before.

import { setTimeout as pause } from 'node:timers/promises';
import { sum } from './report/statistics.js';
import { cpuTimeOf, isUsageKnown, type Process } from './usage.js';

const WINDOW_MS = 200;
/** A tenth of a core: polling and keep-alives stay below it. */
const IDLE_MICROSECONDS = WINDOW_MS * 100;
const WITHIN_MS = 60_000;
/** The pause where the CPU time of other processes is unknown. */
const BLIND_PAUSE_MS = 1500;

/** Resolves once these processes have been idle for two windows in a row, or after a minute. */
export async function atRest(processes: () => readonly Process[], signal: AbortSignal): Promise<void> {
  if (!isUsageKnown) return void (await pause(BLIND_PAUSE_MS));
  const used = (): number => sum([...cpuTimeOf(processes()).values()]);
  const deadline = Date.now() + WITHIN_MS;
  let before = used();
  for (let idle = 0; idle < 2 && Date.now() < deadline;) {
    signal.throwIfAborted();
    await pause(WINDOW_MS);
    const now = used();
    idle = now - before <= IDLE_MICROSECONDS ? idle + 1 : 0;
    before = now;
  }
}
