// Runs all measurements, one round at a time, so that other work on the machine disturbs every side alike.

import { type Bench, type Measurement, type Side, paced, saturated } from './measurement.js';
import { median } from './report/statistics.js';
import type { Scenario } from './scenario.js';

/** Values by the name of a side, one for each round. */
export type BySide<T> = Readonly<Record<string, readonly T[]>>;

export interface ScenarioResult {
  saturated: BySide<Measurement>;
  /** All sides at half of the rate that the slowest of them reached, which shows what the machine itself adds. */
  paced: BySide<Measurement>;
  /** Why it could not be measured. */
  failure?: string;
}

/** By scenario. */
export type Results = Readonly<Partial<Record<Scenario, ScenarioResult>>>;

export interface Rounds {
  /** The sides that answer a scenario, under as much load as they can take or at half of it. */
  readonly sidesFor: (scenario: Scenario, load: 'full' | 'half') => readonly Side[];
  /** How often a round of a scenario is tried before the scenario is given up. With 0, the first failure ends the run. */
  readonly attempts: number;
  /** Finishes earlier work, so that none of it runs during the measurements. */
  readonly settle?: () => Promise<void>;
  /** Called with a line after each round. */
  readonly say: (line: string) => void;
}

export async function runRounds(bench: Bench, input: Rounds): Promise<Results> {
  const { sidesFor, say } = input;
  const { rounds, pacedRounds, scenarios } = bench.sizes;
  const results: Partial<Record<Scenario, ScenarioResult>> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of scenarios) {
      const result = (results[scenario] ??= { saturated: {}, paced: {} });
      await attempt(bench, { result, ...input }, async () => {
        const sides = rotated(sidesFor(scenario, 'full'), round);
        const measured = await inTurn(sides, (side) => saturated(bench, side, scenario));
        result.saturated = added(result.saturated, measured);
      });
    }
    say(`round ${round + 1} of ${rounds}`);
  }
  await input.settle?.();
  for (let round = 0; round < pacedRounds; round += 1) {
    for (const scenario of scenarios) {
      const result = results[scenario] as ScenarioResult;
      await attempt(bench, { result, ...input }, async () => {
        const sides = rotated(sidesFor(scenario, 'half'), round);
        const order = { scenario, perSecond: halfOf(result, sides) };
        const measured = await inTurn(sides, (side) => paced(bench, side, order));
        result.paced = added(result.paced, measured);
      });
    }
    say(`half load, round ${round + 1} of ${pacedRounds}`);
  }
  return results;
}

/** Tries again, as a request may time out on a busy machine. If one side cannot serve a scenario, only this scenario is skipped. */
async function attempt(
  { signal }: Bench,
  { result, attempts }: { result: ScenarioResult; attempts: number },
  work: () => Promise<void>,
): Promise<void> {
  if (attempts === 0) return work();
  for (let left = attempts; result.failure === undefined && left > 0; left -= 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (left === 1) result.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

async function inTurn<T>(
  sides: readonly Side[],
  measure: (side: Side) => Promise<T>,
): Promise<Record<string, T>> {
  const measured: Record<string, T> = {};
  for (const side of sides) measured[side.name] = await measure(side);
  return measured;
}

const added = <T>(all: BySide<T>, round: Readonly<Record<string, T>>): BySide<T> => ({
  ...all,
  ...Object.fromEntries(Object.entries(round).map(([name, one]) => [name, [...(all[name] ?? []), one]])),
});

function halfOf({ saturated: full }: ScenarioResult, sides: readonly Side[]): number {
  const rates = sides.map(({ name }) => median((full[name] ?? []).map(({ perSecond }) => perSecond)));
  return Math.max(1, Math.round(Math.min(...rates) / 2));
}

/** Each round begins with another side. */
const rotated = <T>(items: readonly T[], by: number): T[] =>
  items.map((_, index) => items[(index + by) % items.length] as T);
