// Prints a line every few seconds.
import type { Fault } from './faults/plan.js';
import type { Struck } from './faults/recovery.js';
import type { Counts } from './load/journal.js';

interface State {
  readonly began: number;
  readonly struck: readonly Struck[];
  readonly counts: Counts;
}

const EVERY = 5000;

export function showProgress(say: (line: string) => void, state: () => State) {
  let now = '';
  const show = (): void => say(progressLine(state(), now));
  const timer = setInterval(show, EVERY);
  return {
    /** Sets the fault that the line names from now on. */
    note: ({ kind, target }: Fault): void => {
      now = `${kind} ${target}`;
    },
    stop: (): void => {
      clearInterval(timer);
      now = 'done';
      show();
    },
  };
}

/** The text of a line. Each attempt counts as a request. */
function progressLine({ began, struck, counts }: State, now: string): string {
  const seconds = Math.round((Date.now() - began) / 1000);
  const slowest = Math.max(0, ...struck.map(({ recovery }) => recovery)) / 1000;
  return [
    `${String(seconds).padStart(6)} s`,
    `${struck.length} faults`,
    `${requestsOf(counts)} requests`,
    `${counts.acknowledged} acknowledged`,
    `${counts.refused} refused`,
    `longest recovery ${slowest.toFixed(1)} s`,
    now,
  ].join('  ');
}

export const requestsOf = ({ attempts }: Pick<Counts, 'attempts'>): number =>
  Object.values(attempts).reduce((sum, count) => sum + count, 0);
