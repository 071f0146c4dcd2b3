// One measurement: a side under load for a few seconds, and what its processes used meanwhile.

import type { Load } from './load/load.js';
import type { LoadResult } from './load/protocol.js';
import type { Scenario } from './scenario.js';
import type { Requests } from './scenarios.js';
import type { Sizes } from './sizes.js';
import { cpuTimeOf } from './usage.js';
import type { CpuTime, Process } from './usage.js';

/** Who answers: a version of the product, or the bare server in one of its ways. */
export interface Side {
  readonly name: string;
  readonly origin: string;
  readonly requests: Requests;
  readonly processes: () => readonly Process[];
  /** Waits until what the side does behind its answers is done. */
  readonly settled: () => Promise<void>;
}

export interface Measurement {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU time for each answer, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

export interface Bench {
  readonly load: Load;
  readonly sizes: Sizes;
  readonly signal: AbortSignal;
}

/** More than any side here answers on one connection. */
const MOST_PER_SECOND = 400;
/** A load ends a little later than ordered. */
const LATE_SECONDS = 0.5;

/** The side with as many requests as it can answer. */
export async function saturated(bench: Bench, side: Side, scenario: Scenario): Promise<Measurement> {
  const { connections, warmupSeconds, seconds } = bench.sizes;
  const count = Math.ceil(MOST_PER_SECOND * (warmupSeconds + seconds + LATE_SECONDS));
  const lists = Array.from({ length: connections }, () => side.requests.of(scenario, count));
  return measured(bench, { side, scenario }, (measuring) =>
    bench.load.ask({ kind: 'saturate', origin: side.origin, lists, warmupSeconds, seconds }, measuring),
  );
}

/** The side with `perSecond` requests at even intervals. */
export async function paced(
  bench: Bench,
  side: Side,
  { scenario, perSecond }: { scenario: Scenario; perSecond: number },
): Promise<Measurement> {
  const { connections, warmupSeconds, pacedSeconds: seconds } = bench.sizes;
  const total = Math.ceil(perSecond * (warmupSeconds + seconds));
  const each = Math.ceil(total / connections);
  const list = Array.from({ length: connections }, () => side.requests.of(scenario, each)).flat();
  return measured(bench, { side, scenario }, (measuring) =>
    bench.load.ask({ kind: 'pace', origin: side.origin, list, perSecond, warmupSeconds, seconds }, measuring),
  );
}

async function measured(
  { load, signal }: Bench,
  { side, scenario }: { side: Side; scenario: Scenario },
  run: (measuring: () => void) => Promise<LoadResult>,
): Promise<Measurement> {
  signal.throwIfAborted();
  const processes = [...side.processes(), { name: 'load', pid: load.pid }];
  let before: CpuTime = new Map();
  const { completed, seconds, p50, p99 } = await run(() => {
    before = cpuTimeOf(processes);
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${scenario}, ${side.name}: ${reason}`, { cause: error });
  });
  const after = cpuTimeOf(processes);
  const cpuMicroseconds = Object.fromEntries(
    [...after].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / completed]),
  );
  await side.settled();
  return { perSecond: completed / seconds, p50, p99, cpuMicroseconds };
}
