// The result of a run as text.
import { kinds, type Kind } from './faults/plan.js';
import type { Struck } from './faults/recovery.js';
import { requestsOf } from './progress.js';
import type { Result } from './run.js';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** A table of the faults by kind, the counts, and the first findings. */
export function reportOf(result: Result): string {
  const { struck, findings, acknowledged, refused, attempts, followers, disturbances } = result;
  const found = (kind: string): number => findings.filter((one) => one.kind === kind).length;
  return [
    '',
    `  Seed ${result.seed}: ${struck.length} faults in ${result.seconds} s.`,
    ...kinds.flatMap((kind) =>
      recoveryLine(
        kind,
        struck.filter((one) => one.kind === kind),
      ),
    ),
    ...byTarget.flatMap((kind) => targetLines(struck.filter((one) => one.kind === kind))),
    `  requests ${requestsOf(result)}: ${countsOf(attempts)}`,
    ...Object.entries(followers).map(
      ([name, { effects, repeated }]) => `  ${name}: ${effects} events, ${repeated} repeated deliveries`,
    ),
    `  followers disturbed: ${countsOf(disturbances)}`,
    `  acknowledged ${acknowledged}, refused ${refused}, lost ${found('lost')}, doubled ${found('doubled')}, inconsistent ${found('inconsistent')}`,
    ...findings.slice(0, 30).map(({ kind, what }) => `  ${kind}: ${what.slice(0, 600)}`),
    '',
  ].join('\n');
}

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');

/** The kinds whose targets differ in their recovery. */
const byTarget: readonly Kind[] = ['kill', 'disk', 'failover'];

const targetLines = (struck: readonly Struck[]): string[] =>
  [...new Set(struck.map(({ kind, target }) => `  ${kind} ${target}`))].sort().flatMap((name) =>
    recoveryLine(
      name,
      struck.filter(({ kind, target }) => `  ${kind} ${target}` === name),
    ),
  );

function recoveryLine(name: string, all: readonly Struck[]): string[] {
  const struck = all.toSorted((one, other) => other.recovery - one.recovery);
  const [slowest] = struck;
  if (slowest === undefined) return [];
  const median = struck[Math.floor(struck.length / 2)] as Struck;
  return [
    `  ${name.padEnd(22)} ${String(struck.length).padStart(4)} faults, recovery: median ${seconds(median.recovery)}, longest ${seconds(slowest.recovery)} (${slowest.target}, ${slowest.slowest} last)`,
  ];
}
