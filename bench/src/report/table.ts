// The printed result: rates with ratios, latencies, CPU time, memory; each with its target.

import { scenarios } from '../scenario.js';
import type { Scenario } from '../scenario.js';
import type { Sizes } from '../sizes.js';
import { columns } from './columns.js';
import { leastRatio, MOST_MEMORY, MOST_P99 } from '../targets.js';
import { titles } from './outcome.js';
import type { Held } from '../usage.js';
import type { Outcome } from './outcome.js';
import { summaryOf } from './summary.js';
import type { Summary } from './summary.js';

export function table(outcome: Outcome): string {
  const all = outcome.sizes.scenarios.map(
    (scenario) => [scenario, summaryOf(outcome.results[scenario])] as const,
  );
  const parts = [
    rates(all, outcome),
    latencies(all),
    composition(all),
    floodOf(outcome),
    microseconds(all),
    memory(outcome),
  ];
  return [heading(outcome), ...parts.flat()].join('\n\n');
}

type All = readonly (readonly [Scenario, Summary])[];

function heading({ machine, sizes }: Outcome): string {
  const { cpu, cores, memoryGib, node, postgres, loadAverage } = machine;
  return `\n${cores} × ${cpu}, ${memoryGib} GiB, Node ${node}, Postgres ${postgres}; ${sizes.connections} connections, ${sizes.rounds} rounds of ${sizes.seconds} s; load average ${loadAverage.toFixed(1)}${leftOut(sizes)}`;
}

const leftOut = ({ scenarios: measured }: Sizes): string => {
  const missing = scenarios.filter((scenario) => !measured.includes(scenario));
  return missing.length === 0 ? '' : `\nnot measured by --quick: ${missing.join(', ')}`;
};

function rates(all: All, { postgres }: Outcome): string {
  const rows = all.flatMap(
    ([scenario, { perSecond, postgresPerSecond, ratio, plainRatio, postgresRatio }]) => [
      [
        titles[scenario],
        whole(perSecond.product),
        whole(perSecond.bare),
        fraction(ratio),
        targetOf(scenario, ratio),
        whole(postgresPerSecond.bare),
        fraction(postgresRatio),
      ],
      ...(plainRatio === undefined
        ? []
        : [
            [
              '  bare: one plain statement',
              '',
              whole(perSecond.plain),
              plainRatio.toFixed(2),
              '',
              whole(postgresPerSecond.plain),
              '',
            ],
          ]),
    ],
  );
  return columns(
    ['responses per second (medians)', 'product', 'bare', 'ratio', 'target', 'Postgres only¹', 'ratio'],
    rows,
  ).concat(`\n¹ ${postgres}`);
}

function latencies(all: All): string {
  const rows = all.map(([scenario, { p50, p99, halfP50, halfP99, bareHalfP99 }]) => [
    titles[scenario],
    ...[p50, p99, halfP50, halfP99].map((value) => value.toFixed(1)),
    leastRatio[scenario] === undefined ? '' : `≤ ${MOST_P99} ${verdict(halfP99 <= MOST_P99)}`,
    bareHalfP99?.toFixed(1) ?? '',
  ]);
  return columns(
    ['milliseconds', 'saturated p50', 'p99', 'half load p50', 'p99', 'target', 'bare p99 at that pace'],
    rows,
  );
}

/** The cost of reading from two services: a second request over the bus after the first. */
function composition(all: All): string[] {
  const [within, across] = ['within', 'across'].map(
    (name) => all.find(([scenario]) => scenario === name)?.[1],
  );
  if (within === undefined || across === undefined) return [];
  const cost = (of: Summary): number =>
    Object.values(of.cpu.product ?? {}).reduce((sum, value) => sum + value, 0);
  const row = (title: string, of: Summary): string[] => [
    title,
    whole(of.perSecond.product),
    of.halfP50.toFixed(1),
    of.halfP99.toFixed(1),
    whole(cost(of)),
  ];
  return [
    columns(
      ['cost of composition', 'responses per second', 'half load p50 (ms)', 'p99', 'CPU µs per response'],
      [row('one service, one round trip', within), row('two services, one behind the other', across)],
    ).concat(
      `\nacross services: ${(across.halfP50 / within.halfP50).toFixed(2)} × the time, ${(cost(across) / cost(within)).toFixed(2)} × the CPU`,
    ),
  ];
}

function floodOf({ flood, sizes }: Outcome): string[] {
  if (flood === undefined || sizes.flood === undefined) return [];
  const { alone, beside, hotPerSecond } = flood;
  const { calm, perSecond, connections } = sizes.flood;
  const row = (title: string, { p50, p99 }: typeof alone): string[] => [
    title,
    p50.toFixed(1),
    p99.toFixed(1),
  ];
  return [
    columns(
      ['milliseconds of calm practices', 'p50', 'p99'],
      [
        row(`${calm} of them, ${perSecond} requests a second`, alone),
        row(`the same beside a practice that floods on ${connections} connections`, beside),
      ],
    ).concat(`\nthe flooding practice gets ${whole(hotPerSecond)} responses per second`),
  ];
}

function microseconds(all: All): string {
  const names = [
    ...new Set(all.flatMap(([, { cpu }]) => Object.values(cpu).flatMap((of) => Object.keys(of)))),
  ];
  const rows = all.flatMap(([scenario, { cpu }]) =>
    Object.entries(cpu).map(([side, of]) => [
      `${titles[scenario]}: ${side}`,
      ...names.map((name) => (of[name] === undefined ? '' : whole(of[name]))),
    ]),
  );
  return columns(['CPU µs per response', ...names], rows);
}

function memory({ memory: bytes }: Outcome): string {
  const mib = (value: number): number => Math.round(value / 2 ** 20);
  const sum = (of: (held: Held) => number): number =>
    mib(Object.values(bytes).reduce((all, held) => all + of(held), 0));
  const total = sum(({ resident }) => resident);
  const parts = Object.entries(bytes).map(([name, { resident }]) => `${name} ${mib(resident)}`);
  const once = `with what they share counted once: ${sum(({ proportional }) => proportional)} MiB`;
  return `resident memory without Postgres, at most: ${total} MiB (${parts.join(', ')}); target ≤ ${MOST_MEMORY} ${verdict(total <= MOST_MEMORY)}; ${once}`;
}

const whole = (value: number | undefined): string =>
  value === undefined ? '' : Math.round(value).toString();

/** Empty where nothing was compared. */
const fraction = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));

function targetOf(scenario: Scenario, ratio: number): string {
  const least = leastRatio[scenario];
  return least === undefined ? '' : `≥ ${least.toFixed(2)} ${verdict(ratio >= least)}`;
}

const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'MISSED');
