// One run: a load, faults one after the other, and the comparison with the journal at the end.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compare } from './checks/compare.js';
import { patroniLosses } from './faults/leaders.js';
import type { Fault, Targets } from './faults/plan.js';
import { strikeAndRecover, type Struck } from './faults/recovery.js';
import { left } from './faults/strike.js';
import { startLoad, type Load, type LoadOptions } from './load.js';
import { showProgress } from './progress.js';
import { startSystem, type System, type SystemOptions } from './system.js';

/** Options of a run. The folder is for the system and for the evidence. */
export interface RunOptions extends Omit<LoadOptions, 'isPatient'>, Omit<SystemOptions, 'print'> {
  /** The faults, one after the other. */
  readonly faults: (targets: Targets) => Iterable<Fault>;
  readonly say: (line: string) => void;
  /** Once it is aborted, no more faults follow. */
  readonly signal?: AbortSignal;
}

/**
 * Runs everything, and stops the system in any case.
 * @throws when the system cannot start, or does not run again after a fault
 */
export async function run(options: RunOptions) {
  mkdirSync(options.folder, { recursive: true });
  const log = (line: string): void =>
    appendFileSync(join(options.folder, 'supervisor.log'), `${new Date().toISOString()} ${line}\n`);
  const system = await startSystem({ ...options, print: log });
  try {
    const load = await startLoad(system, options);
    try {
      return await underLoad(system, load, options);
    } finally {
      await load.stop();
    }
  } finally {
    await system.stop();
  }
}

export type Result = Awaited<ReturnType<typeof underLoad>>;

async function underLoad(system: System, load: Load, options: RunOptions) {
  const began = Date.now();
  const struck: Struck[] = [];
  const progress = showProgress(options.say, () => ({ began, struck, counts: load.journal.counts() }));
  for (const fault of options.faults(targetsOf(system))) {
    if (options.signal?.aborted) break;
    progress.note(fault);
    struck.push(await strikeAndRecover(system, fault, load.prober));
    await pause(fault.rest);
  }
  await load.finish();
  progress.stop();
  const seconds = Math.round((Date.now() - began) / 1000);
  options.say('  The load has ended; everything is compared with the journal …');
  const findings = await compare(system.stack, load, options.folder);
  const { journal, followed } = load;
  /** Events that had an effect at each follower, and repeated deliveries without one. */
  const followers = Object.fromEntries(
    followed.map(({ follower, received }) => [follower, received.counts()]),
  );
  return {
    ...{ seed: options.seed, seconds, struck, findings, followers },
    /** How often followers caused each trouble themselves. */
    disturbances: load.disturbances(),
    ...journal.counts(),
  };
}

/** The targets of each kind. Processes are sorted by name, so that a seed gives the same faults in every run. */
function targetsOf({ stack, wires, disk, clusters }: System): Targets {
  const processes = stack
    .processes()
    .map(({ name }) => name)
    .toSorted();
  const stream = clusters.nats ? [] : ['stream'];
  return {
    kill: processes,
    restart: processes,
    pause: processes,
    cut: [...wires.keys()],
    silence: [...wires.keys()],
    rollback: stream,
    loss: stream,
    disk: disk ? Object.keys(left) : [],
    leader: clusters.nats ? ['stream'] : [],
    failover: clusters.patroni ? Object.keys(patroniLosses) : [],
  };
}
