import type { Scenario } from '../scenario.js';
import type { Outcome } from './outcome.js';
import { summaryOf } from './summary.js';

/** All of a run, with the medians and ratios that the table shows. */
export function asJson(outcome: Outcome): string {
  const summary = Object.fromEntries(
    outcome.sizes.scenarios.map((scenario: Scenario) => [scenario, summaryOf(outcome.results[scenario])]),
  );
  return `${JSON.stringify({ ...outcome, summary }, null, 2)}\n`;
}
