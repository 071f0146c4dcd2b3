// One measurement: a side under load for a few seconds, and the CPU time of its processes until the work behind the answers is done.

import type { LoadResult, Pace } from './load/protocol.js';
import { saturate } from './load/wrk.js';
import type { Latency } from './report/statistics.js';
import type { Scenario } from './scenario.js';
import type { Requests } from './scenarios.js';
import type { Sizes } from './sizes.js';
import { cpuTimeOf, type CpuTime, type Process } from './usage.js';
import type { Worker } from './worker.js';

/** The system that answers: a version of the product, or the bare server. */
export interface Side {
  readonly name: string;
  readonly origin: string;
  /** Its data folder, if it is a version of the product. */
  readonly dataDir?: string;
  readonly requests: Requests;
  readonly processes: () => readonly Process[];
  /** Waits until the side has finished the work behind its answers. */
  readonly settled: () => Promise<void>;
}

export interface Measurement extends Latency {
  readonly perSecond: number;
  /** Microseconds of CPU time for each answer, with the work behind it, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

export interface Bench {
  /** Sends requests at even intervals, and reports the end of the warm-up. */
  readonly pacer: Worker<Pace, LoadResult>;
  readonly sizes: Sizes;
  readonly signal: AbortSignal;
}

/** More writes than any side answers. */
const MOST_WRITES_PER_SECOND = 6_000;

/** Measures a side with as many requests as it can answer. */
export async function saturated(bench: Bench, side: Side, scenario: Scenario): Promise<Measurement> {
  const { connections, warmupSeconds, seconds } = bench.sizes;
  const { origin, requests } = side;
  const load = (time: number) =>
    saturate({
      ...{ origin, connections, signal: bench.signal, seconds: time },
      requests: requests.of(scenario, MOST_WRITES_PER_SECOND * time),
    });
  return measured(bench, { side, scenario }, async (measuring) => {
    await load(warmupSeconds);
    await side.settled();
    measuring();
    return load(seconds);
  });
}

/** Measures a side with `perSecond` requests at even intervals. */
export async function paced(
  bench: Bench,
  side: Side,
  { scenario, perSecond }: { scenario: Scenario; perSecond: number },
): Promise<Measurement> {
  const { warmupSeconds, pacedSeconds: seconds } = bench.sizes;
  const list = side.requests.of(scenario, Math.ceil(perSecond * (warmupSeconds + seconds)));
  return measured(bench, { side, scenario }, (measuring) =>
    bench.pacer.ask({ origin: side.origin, list, perSecond, warmupSeconds, seconds }, measuring),
  );
}

async function measured(
  { signal }: Bench,
  { side, scenario }: { side: Side; scenario: Scenario },
  run: (measuring: () => void) => Promise<LoadResult>,
): Promise<Measurement> {
  signal.throwIfAborted();
  const processes = side.processes();
  let before: CpuTime = new Map();
  const { completed, seconds, p50, p99 } = await run(() => {
    before = cpuTimeOf(processes);
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${scenario}, ${side.name}: ${reason}`, { cause: error });
  });
  await side.settled();
  const cpuMicroseconds = Object.fromEntries(
    [...cpuTimeOf(processes)].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / completed]),
  );
  return { perSecond: completed / seconds, p50, p99, cpuMicroseconds };
}
