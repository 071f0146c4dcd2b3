// Two versions in turn, scenario by scenario: A B, then B A, so that the machine disturbs both alike.

import type { Bench, Measurement, Side } from '../measurement.js';
import { paced, saturated } from '../measurement.js';
import { median } from '../report/statistics.js';
import type { Scenario } from '../scenario.js';

/** The measurements of one scenario: one pair per round. */
export interface Comparison {
  readonly scenario: Scenario;
  readonly saturated: readonly Pair[];
  readonly paced: readonly Pair[];
  /** Why it could not be measured. */
  readonly failure?: string;
}

export interface Pair {
  readonly now: Measurement;
  readonly before: Measurement;
}

export type ComparedSide = Omit<Side, 'name'>;

export interface Compared {
  readonly now: ComparedSide;
  readonly before: ComparedSide;
}

interface Collected {
  readonly scenario: Scenario;
  readonly saturated: Pair[];
  readonly paced: Pair[];
  failure?: string;
}

/** @param say called after each round with a line about it */
export async function compareVersions(
  bench: Bench,
  sides: Compared,
  say: (line: string) => void,
): Promise<readonly Comparison[]> {
  const { scenarios, rounds, pacedRounds } = bench.sizes;
  const all: Collected[] = scenarios.map((scenario) => ({ scenario, saturated: [], paced: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of all)
      await attempt(bench, one, async () => {
        one.saturated.push(await inTurn(sides, round, (side) => saturated(bench, side, one.scenario)));
      });
    say(`round ${round + 1} of ${rounds}`);
  }
  for (let round = 0; round < pacedRounds; round += 1) {
    for (const one of all)
      await attempt(bench, one, async () => {
        const order = { scenario: one.scenario, perSecond: halfLoad(one) };
        one.paced.push(await inTurn(sides, round, (side) => paced(bench, side, order)));
      });
    say(`half load, round ${round + 1} of ${pacedRounds}`);
  }
  return all;
}

/** A request may time out on a busy machine, so a failed pair is measured again. */
const ATTEMPTS = 3;

/** A scenario that one version cannot serve is reported and skipped; the others are still measured. */
async function attempt({ signal }: Bench, one: Collected, work: () => Promise<void>): Promise<void> {
  for (let left = ATTEMPTS; one.failure === undefined && left > 0; left -= 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (left === 1) one.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

async function inTurn(
  { now, before }: Compared,
  round: number,
  measure: (side: ComparedSide) => Promise<Measurement>,
): Promise<Pair> {
  if (round % 2 === 0) {
    const first = await measure(before);
    return { before: first, now: await measure(now) };
  }
  const first = await measure(now);
  return { now: first, before: await measure(before) };
}

/** Both versions at the same pace: half of what the slower one answers. */
const halfLoad = ({ saturated: pairs }: Collected): number =>
  Math.max(
    1,
    Math.round(
      Math.min(
        median(pairs.map(({ now }) => now.perSecond)),
        median(pairs.map(({ before }) => before.perSecond)),
      ) / 2,
    ),
  );
