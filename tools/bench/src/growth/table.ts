import type { Machine } from '../machine.js';
import { columns } from '../report/columns.js';
import { cases } from './cases.js';
import type { GrowthCost } from './measure.js';

/** The measurements at one size. */
export interface GrowthStep {
  /** Which number grew: practices, or the appointments of one practice. */
  readonly of: 'practices' | 'appointments';
  readonly size: number;
  readonly costs: readonly GrowthCost[];
}

const heading = ['rows met', 'pages of 8 KiB', 'Postgres ms', 'p50 ms', 'p99 ms'];

/** A table for each thing that grew, with every size of each kind of request. */
export function growthTable({ cpu, cores, loadAverage }: Machine, steps: readonly GrowthStep[]): string {
  const tables = (['practices', 'appointments'] as const).map((of) =>
    columns([`by ${of}`, 'size', ...heading, 'found by'], rowsOf(steps.filter((step) => step.of === of))),
  );
  return [`\n${cores} × ${cpu}; load average ${loadAverage.toFixed(1)}`, ...tables].join('\n\n');
}

const rowsOf = (steps: readonly GrowthStep[]): string[][] =>
  cases.flatMap(({ title }, kind) =>
    steps.map(({ size, costs }, index) => {
      const { postgres, p50, p99 } = costs[kind] as GrowthCost;
      return [
        ...[index === 0 ? title : '', size.toString()],
        ...[
          postgres?.rows.toString() ?? '',
          postgres?.pages.toString() ?? '',
          postgres?.milliseconds.toFixed(3) ?? '',
        ],
        ...[p50.toFixed(1), p99.toFixed(1), postgres?.access.join(', ') ?? ''],
      ];
    }),
  );
