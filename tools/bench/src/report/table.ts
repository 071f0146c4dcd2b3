// The printed result: rates with ratios, latencies, CPU time, memory; each with its target.

import { describeMachine, type Machine } from '../machine.js';
import type { Results } from '../rounds.js';
import { facts, MOST_ACROSS, MOST_MEMORY, MOST_P99_ABOVE_BARE, scenarios } from '../scenario.js';
import type { Scenario } from '../scenario.js';
import type { Sizes } from '../sizes.js';
import { columns } from './columns.js';
import { sum } from './statistics.js';
import { summaries, type Summary } from './summary.js';

/** Everything that one run measured. */
export interface Outcome {
  readonly machine: Machine;
  readonly sizes: Sizes;
  readonly results: Results;
  /** Bytes of the product's processes, without Postgres, at their most. */
  readonly memory: Readonly<Record<string, number>>;
}

type All = readonly (readonly [Scenario, Summary])[];

export function table(outcome: Outcome): string {
  const all = summaries(outcome.results);
  return [
    heading(outcome),
    rates(all),
    latencies(all),
    ...composition(all),
    microseconds(all),
    memory(outcome),
  ].join('\n\n');
}

function heading({ machine, sizes }: Outcome): string {
  const missing = scenarios.filter((scenario) => !sizes.scenarios.includes(scenario));
  const leftOut = missing.length === 0 ? '' : `\nnot measured by --quick: ${missing.join(', ')}`;
  const { connections, rounds, seconds } = sizes;
  return `\n${describeMachine(machine)}; ${connections} connections, ${rounds} rounds of ${seconds} s${leftOut}`;
}

function rates(all: All): string {
  const rows = all.map(([scenario, { perSecond, ratio, cpu }]) => {
    const { title, leastRatio: least } = facts[scenario];
    const target = least === undefined ? '' : `≥ ${least.toFixed(2)} ${verdict(ratio >= least)}`;
    const microseconds = whole(sum(Object.values(cpu['product'] ?? {})));
    return [
      title,
      whole(perSecond['product']),
      whole(perSecond['bare']),
      fraction(ratio),
      target,
      microseconds,
    ];
  });
  const titles = ['product', 'one plain statement', 'ratio', 'target', 'CPU µs'];
  return columns(['responses per second (medians)', ...titles], rows);
}

function latencies(all: All): string {
  const rows = all.map(([scenario, { p50, p99, halfP50, halfP99, bareHalfP99 }]) => [
    facts[scenario].title,
    ...[p50, p99, halfP50, halfP99].map((value) => value.toFixed(1)),
    bareHalfP99?.toFixed(1) ?? '',
    bareHalfP99 === undefined
      ? ''
      : `+${MOST_P99_ABOVE_BARE} ${verdict(halfP99 <= bareHalfP99 + MOST_P99_ABOVE_BARE)}`,
  ]);
  return columns(
    ['milliseconds', 'saturated p50', 'p99', 'half load p50', 'p99', 'bare p99 at that pace', 'target'],
    rows,
  );
}

/** The cost of reading from two services: a second request over the bus after the first. */
function composition(all: All): string[] {
  const [within, across] = ['within', 'across'].map(
    (name) => all.find(([scenario]) => scenario === name)?.[1],
  );
  if (within === undefined || across === undefined) return [];
  const cost = ({ cpu }: Summary): number => sum(Object.values(cpu['product'] ?? {}));
  const row = (title: string, of: Summary): string[] => [
    ...[title, whole(of.perSecond['product']), of.halfP50.toFixed(1), of.halfP99.toFixed(1)],
    whole(cost(of)),
  ];
  const costs = columns(
    ['cost of composition', 'responses per second', 'half load p50 (ms)', 'p99', 'CPU µs per response'],
    [row('one service, one round trip', within), row('two services, one behind the other', across)],
  );
  const compared = (ratio: number, most: number): string =>
    `${ratio.toFixed(2)} × (≤ ${most.toFixed(1)} ${verdict(ratio <= most)})`;
  const time = compared(across.halfP50 / within.halfP50, MOST_ACROSS.time);
  const cpu = compared(cost(across) / cost(within), MOST_ACROSS.cpu);
  return [`${costs}\nacross services: ${time} the time, ${cpu} the CPU`];
}

function microseconds(all: All): string {
  const names = [...new Set(all.flatMap(([, { cpu }]) => Object.values(cpu).flatMap(Object.keys)))];
  const rows = all.flatMap(([scenario, { cpu }]) =>
    Object.entries(cpu).map(([side, of]) => [
      `${facts[scenario].title}: ${side}`,
      ...names.map((name) => whole(of[name])),
    ]),
  );
  return columns(['CPU µs per response, with the work behind it', ...names], rows);
}

function memory({ memory: bytes }: Outcome): string {
  const mib = (value: number): number => Math.round(value / 2 ** 20);
  const total = mib(sum(Object.values(bytes)));
  const parts = Object.entries(bytes).map(([name, resident]) => `${name} ${mib(resident)}`);
  return `resident memory without Postgres, at most: ${total} MiB (${parts.join(', ')}); target ≤ ${MOST_MEMORY} ${verdict(total <= MOST_MEMORY)}`;
}

/** Empty where nothing was measured. */
const fixed = (value = NaN, digits: number): string => (Number.isNaN(value) ? '' : value.toFixed(digits));
const whole = (value?: number): string => fixed(value, 0);
const fraction = (value?: number): string => fixed(value, 2);

const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'MISSED');
