// From the answers of Prometheus to the lines of a graph.
import type { RangeSeries, Span } from '@practice/dev';

/** A point of a line: seconds since the start of the picture, and null where the line has a gap. */
export type Point = readonly [seconds: number, value: number | null];

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
  /** The highest value. */
  readonly peak: number;
}

/** The name of a series by the template of its query. */
export const nameOf = (legend: string, labels: RangeSeries['metric']): string =>
  legend
    .replace(/{{(\w+)}}/g, (_, label: string) => labels[label] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** One line for each series that has values. The highest ones come first, so that a legend can leave out the rest. */
export function linesOf(
  answers: readonly { readonly legend: string; readonly series: readonly RangeSeries[] }[],
  { start, step }: Pick<Span, 'start' | 'step'>,
): Line[] {
  return answers
    .flatMap(({ legend, series }) =>
      series.map(({ metric, values }): Line => {
        const points = withGaps(
          values.map(([time, value]) => [time - start, finite(value)]),
          step,
        );
        return {
          name: nameOf(legend, metric),
          points,
          peak: Math.max(...points.map(([, value]) => value ?? -1)),
        };
      }),
    )
    .filter(({ peak }) => peak >= 0)
    .toSorted((one, other) => other.peak - one.peak || one.name.localeCompare(other.name));
}

/** Prometheus writes NaN for a quotient of zeros, such as the quantile of no requests. */
function finite(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
}

/** Prometheus leaves out steps without a value: the line must not cross them. */
const withGaps = (points: readonly Point[], step: number): Point[] =>
  points.flatMap((point, index) => {
    const before = points[index - 1];
    return before !== undefined && point[0] - before[0] > step * 1.5
      ? [[before[0] + step, null] as const, point]
      : [point];
  });
