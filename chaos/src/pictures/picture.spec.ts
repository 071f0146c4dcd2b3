import { expect, it } from '@jest/globals';
import { readDashboards, type RangeSeries } from '@practice/dev';
import { linesOf } from './lines.js';
import { drawPicture } from './picture.js';
import { axisOf } from './units.js';

const START = 1_700_000_000;
const span = { start: START, step: 2 };
const phases = [
  { label: 'calm', begin: 0, end: 10 },
  { label: 'flood', begin: 10, end: 20 },
];

/** A series as Prometheus answers it. @param values by seconds since the start */
const series = (service: string, values: readonly (readonly [number, string])[]): RangeSeries => ({
  metric: { service },
  values: values.map(([seconds, value]) => [START + seconds, value]),
});

const draw = (all: readonly RangeSeries[], unit = 's'): string => {
  const lines = linesOf([{ legend: 'of {{service}}', series: all }], span);
  return drawPicture('Row', [{ panel: { title: 'Time <99 %>', unit }, lines }], phases);
};

const labelsIn = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
/** The paths of lines: nothing else is so wide and in a colour of the legend. */
const pathsIn = (svg: string, colour: string): string[] =>
  [...svg.matchAll(new RegExp(`<path d="([^"]+)"[^>]*stroke="${colour}" stroke-width="1.5"`, 'g'))].map(
    ([, d = '']) => d,
  );
const FIRST = '#3b6fb6';

it('a panel has its title, its legend, its phases, and the unit on its axis', () => {
  const labels = labelsIn(
    draw([
      series('clients', [
        [0, '0.01'],
        [2, '0.02'],
      ]),
    ]),
  );
  expect(labels).toEqual(
    expect.arrayContaining(['Row', 'Time &lt;99 %&gt;', 'of clients', 'calm', 'flood', '0', '20 ms']),
  );
  expect(labels).not.toContain('no data');
});

it('a line goes through every value of its series', () => {
  const [path = '', ...others] = pathsIn(
    draw([
      series('clients', [
        [0, '1'],
        [2, '3'],
        [4, '2'],
      ]),
    ]),
    FIRST,
  );
  expect(others).toEqual([]);
  const heights = [...path.matchAll(/[ML](?<x>[\d.]+) (?<y>[\d.]+)/g)].map(({ groups }) =>
    Number(groups?.['y']),
  );
  expect(heights).toHaveLength(3);
  const [one = 0, three = 0, two = 0] = heights;
  expect(two - three).toBeCloseTo(one - two, 0);
  expect(three).toBeLessThan(two);
});

it('a line has a gap where Prometheus has no value, or a quotient of zeros', () => {
  const answered = series('clients', [
    [0, '1'],
    [2, '1'],
    [4, 'NaN'],
    [6, '1'],
    [8, '1'],
    [14, '1'],
    [16, '1'],
  ]);
  const [path = ''] = pathsIn(draw([answered]), FIRST);
  expect(path.match(/M/g)).toHaveLength(3);
});

it('the legend begins with the highest line, and counts the lines for which it has no colour', () => {
  const all = Array.from({ length: 12 }, (_, index) => series(`s${index}`, [[0, String(index)]]));
  const legend = labelsIn(draw(all)).filter((text) => /^of|more$/.test(text));
  expect(legend).toEqual([...Array.from({ length: 10 }, (_, index) => `of s${11 - index}`), '2 more']);
});

it.each([[[]], [[series('clients', [[0, 'NaN']])]]])(
  'a panel without a value has the text `no data`: %j',
  (answered) => {
    expect(labelsIn(draw(answered))).toContain('no data');
  },
);

it.each([
  ['reqps', 1430, ['0 req/s', '0.5 k req/s', '1 k req/s', '1.5 k req/s']],
  ['ops', 0.3, ['0 ops/s', '0.1 ops/s', '0.2 ops/s', '0.3 ops/s']],
  ['s', 0.000019, ['0', '5 µs', '10 µs', '15 µs', '20 µs']],
  ['s', 240, ['0', '1 min', '2 min', '3 min', '4 min']],
  ['percentunit', 0.333, ['0', '10 %', '20 %', '30 %', '40 %']],
  ['bytes', 2.9 * 2 ** 20, ['0', '1 MiB', '2 MiB', '3 MiB']],
  ['Bps', 21_000, ['0', '10 kB/s', '20 kB/s', '30 kB/s']],
  ['short', 0, ['0', '0.25', '0.5', '0.75', '1']],
])('an axis of %s up to %d has round numbers', (unit, peak, labels) => {
  const { max, interval, format } = axisOf(unit, peak);
  const count = Math.round(max / interval) + 1;
  expect(Array.from({ length: count }, (_, index) => format(index * interval))).toEqual(labels);
});

it('the graphs know the unit of each panel', () => {
  const units = readDashboards().flatMap(({ rows }) =>
    rows.flatMap(({ panels }) => panels.map(({ unit }) => unit)),
  );
  expect(units.length).toBeGreaterThan(0);
  for (const unit of units) expect(axisOf(unit, 1).max).toBeGreaterThanOrEqual(1);
  expect(() => axisOf('bogomips', 1)).toThrow('bogomips');
});
