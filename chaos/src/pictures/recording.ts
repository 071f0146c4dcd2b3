// A recording: the values of every panel over one run. It is kept, so that pictures can be drawn again without the run.
import { rangePath, readDashboards, type Prometheus, type RangeSeries, type Span } from '@practice/dev';
import type { Phase } from './graph.js';
import { linesOf } from './lines.js';
import { drawPicture } from './picture.js';

export interface Recording {
  readonly span: Span;
  readonly phases: readonly Phase[];
  /** Answers of Prometheus by the query of the panel. */
  readonly answers: Readonly<Record<string, readonly RangeSeries[]>>;
}

/** Asks for the values of every panel of every dashboard. */
export async function record(
  prometheus: Pick<Prometheus, 'ask'>,
  { span, phases }: Pick<Recording, 'span' | 'phases'>,
): Promise<Recording> {
  const answers: Record<string, readonly RangeSeries[]> = {};
  const queries = readDashboards().flatMap(({ rows }) =>
    rows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries)),
  );
  for (const { expr } of queries)
    answers[expr] = (await prometheus.ask<{ result: RangeSeries[] }>(rangePath(expr, span))).result;
  return { span, phases, answers };
}

/** The name of the picture of a row: `overview-traffic.svg`. */
export const fileNameOf = (dashboard: string, row: string): string =>
  `${dashboard}-${row.toLowerCase().replaceAll(' ', '-')}.svg`;

/** One picture for each row of each dashboard. @returns the files by their names, and the panels without a value */
export function draw({ span, phases, answers }: Recording): {
  readonly files: ReadonlyMap<string, string>;
  readonly empty: readonly string[];
} {
  const files = new Map<string, string>();
  const empty: string[] = [];
  for (const { name, title, rows } of readDashboards())
    for (const row of rows) {
      const measured = row.panels.map((panel) => ({
        panel,
        lines: linesOf(
          panel.queries.map(({ legend, expr }) => ({ legend, series: answers[expr] ?? [] })),
          span,
        ),
      }));
      for (const { panel, lines } of measured)
        if (lines.length === 0) empty.push(`${name}: ${row.title}: ${panel.title}`);
      files.set(fileNameOf(name, row.title), drawPicture(`${title}: ${row.title}`, measured, phases));
    }
  return { files, empty };
}
