// Measures how long the system needs after a fault until every service reads and writes again.
import type { Load } from '../load.js';
import { carryOut } from '../load/worker.js';
import type { Journal } from '../load/journal.js';
import { probes } from '../load/operations.js';
import type { System } from '../system.js';
import type { Fault } from './plan.js';
import { pidOf, strike } from './strike.js';

export interface Struck extends Fault {
  /** Milliseconds from the end of its cause, or the loss of a leader, until all probes were answered again. */
  readonly recovery: number;
  /** The part that recovered last: `process`, or the name of a probe. */
  readonly slowest: string;
}

/**
 * Strikes, waits until everything works, and measures how long that took. Then waits until clusters are whole.
 * @param prober the caller that asks whether everything works, and its records
 */
export async function strikeAndRecover(
  system: System,
  fault: Fault,
  prober: Load['prober'],
): Promise<Struck> {
  prober.caller.journal.longestRepeat();
  const ends = ['kill', 'restart'].includes(fault.kind);
  const before = ends ? await pidOf(system.stack, fault.target) : undefined;
  const aftermath = await strike(system, fault);
  const began = performance.now();
  const parts: [string, Promise<unknown>][] = [
    ...(ends ? [['process', pidOf(system.stack, fault.target, before)] as [string, Promise<unknown>]] : []),
    ...Object.entries(probes).map(([name, operation]): [string, Promise<unknown>] => [
      name,
      carryOut(prober.caller, prober.memory, operation),
    ]),
  ];
  let slowest = '';
  const recovered = Promise.all(parts.map(([name, part]) => part.then(() => (slowest = name)))).then(() =>
    Math.round(performance.now() - began),
  );
  const [recovery] = await Promise.all([recovered, aftermath?.whole]);
  checkAnswers(fault, prober.caller.journal);
  return { ...fault, recovery, slowest };
}

/** The longest time for which a caller may have to repeat a request while Postgres has no leader, in milliseconds. */
const ANSWERED_WITHIN = 10_000;

function checkAnswers({ kind, target }: Fault, { longestRepeat, accuse }: Journal): void {
  const longest = longestRepeat();
  if (kind === 'failover' && longest > ANSWERED_WITHIN)
    accuse(`${kind} ${target}: a request was answered after ${longest} ms, not within ${ANSWERED_WITHIN} ms`);
}
