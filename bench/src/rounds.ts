// All measurements, a round at a time: what the machine does meanwhile meets every side alike.

import type { Bench, Measurement, Side } from './measurement.js';
import { paced, saturated } from './measurement.js';
import { median } from './report/statistics.js';
import type { Scenario } from './scenario.js';
import { leastRatio } from './targets.js';

export type SideName = Side['name'];

/** The measurements of a scenario, one entry per round. */
export interface ScenarioResult {
  readonly saturated: Readonly<Partial<Record<SideName, readonly Measurement[]>>>;
  /** Transactions a second that Postgres itself runs, by the same names. */
  readonly postgres: Readonly<Partial<Record<SideName, readonly number[]>>>;
  /** The product at half of what it answered, and the bare server at the same pace: what the machine itself adds. */
  readonly paced: Readonly<Partial<Record<SideName, readonly Measurement[]>>>;
}

/** By scenario. */
export type Results = Readonly<Record<Scenario, ScenarioResult>>;

/** Postgres by itself: transactions per second for each way to run a scenario. */
export type Postgres = (scenario: Scenario, round: number) => Promise<Partial<Record<SideName, number>>>;

interface Collected {
  readonly saturated: Partial<Record<SideName, Measurement[]>>;
  readonly postgres: Partial<Record<SideName, number[]>>;
  readonly paced: Partial<Record<SideName, Measurement[]>>;
}

export interface Measured {
  readonly sides: readonly Side[];
  readonly postgres: Postgres;
  /** Leaves nothing of what was done before to be done while measuring. */
  readonly settle: () => Promise<void>;
}

/** @param say told what is being measured */
export async function runRounds(
  bench: Bench,
  { sides, postgres, settle }: Measured,
  say: (line: string) => void,
): Promise<Results> {
  const { rounds, pacedRounds, pgbenchRounds, scenarios } = bench.sizes;
  const results = Object.fromEntries(
    scenarios.map((scenario) => [scenario, { saturated: {}, postgres: {}, paced: {} }]),
  ) as unknown as Record<Scenario, Collected>;
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of scenarios) {
      const collected = results[scenario];
      for (const side of rotated(sidesFor(scenario, sides), round)) {
        (collected.saturated[side.name] ??= []).push(await saturated(bench, side, scenario));
      }
      if (round < pgbenchRounds) collect(collected, await postgres(scenario, round));
    }
    say(`round ${round + 1} of ${rounds}`);
  }
  await settle();
  for (let round = 0; round < pacedRounds; round += 1) {
    for (const scenario of scenarios) await atHalfLoad(bench, results[scenario], { sides, scenario, round });
  }
  say('half load');
  return results;
}

async function atHalfLoad(
  bench: Bench,
  { saturated: full, paced: collected }: Collected,
  { sides, scenario, round }: { sides: readonly Side[]; scenario: Scenario; round: number },
): Promise<void> {
  const perSecond = Math.round(median((full.product ?? []).map((one) => one.perSecond)) / 2);
  const hasTarget = leastRatio[scenario] !== undefined;
  const asked = sides.filter(({ name }) => name === 'product' || (name === 'bare' && hasTarget));
  for (const side of rotated(asked, round)) {
    (collected[side.name] ??= []).push(await paced(bench, side, { scenario, perSecond }));
  }
}

function collect({ postgres }: Collected, rates: Partial<Record<SideName, number>>): void {
  for (const name of ['bare', 'plain'] as const) {
    const rate = rates[name];
    if (rate !== undefined) (postgres[name] ??= []).push(rate);
  }
}

/** One plain statement is another way to write; of reads there is one. The mixed load is compared with nothing. */
const sidesFor = (scenario: Scenario, sides: readonly Side[]): Side[] =>
  sides.filter(({ name }) => {
    if (scenario === 'mixed') return name === 'product';
    return name !== 'plain' || scenario === 'book' || scenario === 'change';
  });

/** Each round begins with another side. */
const rotated = <T>(items: readonly T[], by: number): T[] =>
  items.map((_, index) => items[(index + by) % items.length] as T);
