import { describe, expect, it } from '@jest/globals';
import type { Measurement } from '../measurement.js';
import type { BySide, ScenarioResult } from '../rounds.js';
import { summaryOf, verdict, versionJudge } from './verdict.js';
import { comparisonTable, ratiosOf } from '../report/comparison.js';

const measured = (perSecond: number): Measurement => ({
  perSecond,
  p50: 1,
  p99: 2,
  cpuMicroseconds: { gateway: 60, postgres: 40 },
});
const names = { now: 'new', before: 'old' };
const sides = (...rates: readonly [number, number][]): BySide<Measurement> => ({
  new: rates.map(([now]) => measured(now)),
  old: rates.map(([, before]) => measured(before)),
});
const comparison = (saturated: BySide<Measurement>): ScenarioResult => ({
  saturated,
  paced: sides([1, 1]),
});
const ratio = (...rates: readonly [number, number][]) =>
  ratiosOf(comparison(sides(...rates)), names).perSecond;

describe('the comparison of two versions', () => {
  it('divides measurements of the same round, so that a slow round does not count', () => {
    expect(ratio([100, 100], [50, 50], [110, 100])).toMatchObject({ ratio: 1, lowest: 1, highest: 1.1 });
  });

  it('ignores the two extremes from eight rounds on', () => {
    const rates = [10, 100, 100, 100, 100, 100, 100, 500].map((now): [number, number] => [now, 100]);
    expect(ratio(...rates)).toMatchObject({ ratio: 1, lowest: 1, highest: 1 });
  });

  it('adds the CPU time of all processes', () => {
    expect(ratiosOf(comparison(sides([1, 1])), names).cpu.now).toBe(100);
  });

  it('calls a row slower only if its whole spread is below 0.95', () => {
    expect(verdict(ratio([90, 100], [91, 100], [92, 100]))).toBe('SLOWER');
    expect(verdict(ratio([90, 100], [91, 100], [102, 100]))).toBe('unclear');
    expect(verdict(ratio([96, 100], [96, 100], [40, 100]))).toBe('');
  });

  it('names a scenario that could not be measured', () => {
    const failed: ScenarioResult = { saturated: {}, paced: {}, failure: 'status 500' };
    const results = { day: comparison(sides([80, 100])), csv: failed };
    expect(comparisonTable(results, names, versionJudge)).toContain(
      'NOT MEASURED: expenses as CSV, 1000 rows: status 500',
    );
    expect(summaryOf(results, names)).toContain('Slower by more than 5 %: one day, 8 rows.');
  });
});
