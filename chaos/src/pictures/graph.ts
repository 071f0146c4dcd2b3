// The plot of a panel, drawn by ECharts without a browser.
import { LineChart } from 'echarts/charts';
import { GridComponent, MarkAreaComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Line, Point } from './lines.js';
import { axisOf } from './units.js';

use([LineChart, GridComponent, MarkAreaComponent, SVGRenderer]);

/** A part of the recorded time with a name. Seconds since the start of the picture. */
export interface Phase {
  readonly label: string;
  readonly begin: number;
  readonly end: number;
}

export interface Graph {
  readonly unit: string;
  /** The first line is drawn above the others. */
  readonly lines: readonly (Line & { readonly colour: string })[];
  readonly phases: readonly Phase[];
  readonly width: number;
  readonly height: number;
}

const TEXT = { color: '#555', fontSize: 10 };
const STRIPES = ['#f4f6f9', '#ffffff'];

/** @returns an `svg` element */
export function drawGraph({ unit, lines, phases, width, height }: Graph): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  const seconds = phases.at(-1)?.end ?? 0;
  const axis = axisOf(unit, Math.max(0, ...lines.map(({ peak }) => peak)));
  chart.setOption({
    animation: false,
    grid: { left: 66, right: 8, top: 16, bottom: 20 },
    xAxis: {
      type: 'value',
      ...{ min: 0, max: seconds, interval: 60 },
      axisLabel: { ...TEXT, formatter: clock, showMaxLabel: false },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      ...{ min: 0, max: axis.max, interval: axis.interval },
      axisLabel: { ...TEXT, formatter: axis.format },
      splitLine: { lineStyle: { color: '#e3e6ea' } },
    },
    series: [{ type: 'line', data: [], markArea: stripes(phases) }, ...lines.map(seriesOf)],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return plain(svg);
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

const stripes = (phases: readonly Phase[]) => ({
  silent: true,
  label: { ...TEXT, position: 'top', distance: 2 },
  data: phases.map(({ label, begin, end }, index) => [
    { name: label, xAxis: begin, itemStyle: { color: STRIPES[index % STRIPES.length] } },
    { xAxis: end },
  ]),
});

const seriesOf = ({ points, colour }: Graph['lines'][number], index: number, { length }: Graph['lines']) => ({
  type: 'line',
  symbol: 'none',
  z: 2 + length - index,
  lineStyle: { width: 1.5, color: colour },
  itemStyle: { color: colour },
  data: points.map((point, at) =>
    isAlone(points, at) ? { value: point, symbol: 'circle', symbolSize: 3 } : point,
  ),
});

/** A value between two gaps has no line: it is shown as a dot. */
const isAlone = (points: readonly Point[], at: number): boolean =>
  points[at]?.[1] !== null && [at - 1, at + 1].every((near) => (points[near]?.[1] ?? null) === null);

/** Without what only a browser with a mouse uses. */
const plain = (svg: string): string =>
  svg
    .replace(/<style ?>[^]*?<\/style>\n?/g, '')
    .replace(/ (?:class|ecmeta_\w+|pointer-events|xmlns:xlink|baseProfile|version)="[^"]*"/g, '')
    .replace(/(?<=\bd="[^"]*)-?\d+\.\d{2,}/g, (number) => String(Number(Number(number).toFixed(1))));
