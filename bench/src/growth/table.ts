import type { Machine } from '../machine.js';
import { columns } from '../report/columns.js';
import { cases } from './cases.js';
import type { Case } from './cases.js';
import type { GrowthStep } from './growth.js';

const titles: Record<Case, string> = {
  day: 'one day, 8 rows',
  list: 'filtered list',
  search: 'clients by ilike',
  book: 'book (POST)',
  change: 'change of status (PATCH)',
};

const heading = ['rows met', 'pages of 8 KiB', 'Postgres ms', 'p50 ms', 'p99 ms'];

/** A table for each thing that grew, with every size of each kind of request. */
export function growthTable({ cpu, cores, loadAverage }: Machine, steps: readonly GrowthStep[]): string {
  const tables = (['practices', 'appointments'] as const).map((of) =>
    columns([`by ${of}`, 'size', ...heading, 'found by'], rowsOf(steps.filter((step) => step.of === of))),
  );
  return [`\n${cores} × ${cpu}; load average ${loadAverage.toFixed(1)}`, ...tables].join('\n\n');
}

const rowsOf = (steps: readonly GrowthStep[]): string[][] =>
  cases.flatMap((kind) =>
    steps.flatMap(({ size, costs }, index) =>
      costs
        .filter((cost) => cost.kind === kind)
        .map(({ rows, pages, milliseconds, p50, p99, access }) => [
          index === 0 ? titles[kind] : '',
          size.toString(),
          rows.toString(),
          pages.toString(),
          milliseconds.toFixed(3),
          p50.toFixed(1),
          p99.toFixed(1),
          access.join(', '),
        ]),
    ),
  );
