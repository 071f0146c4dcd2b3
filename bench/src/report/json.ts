import { scenarios } from '../scenarios.js';
import type { Scenario } from '../scenarios.js';
import type { Outcome } from './outcome.js';
import { summaryOf } from './summary.js';

/** All of a run, with the medians and ratios that the table shows. */
export function asJson(outcome: Outcome): string {
  const summary = Object.fromEntries(
    scenarios.map((scenario: Scenario) => [scenario, summaryOf(outcome.results[scenario])]),
  );
  return `${JSON.stringify({ ...outcome, summary }, null, 2)}\n`;
}
