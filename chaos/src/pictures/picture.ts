// The picture of a row of a dashboard: its panels in two columns, each with its title, its graph and its legend.
import type { Panel } from '@practice/dev';
import { drawGraph, type Phase } from './graph.js';
import { drawLegend } from './legend.js';
import type { Line } from './lines.js';
import { escapeXml } from './xml.js';

/** A panel with its values. */
export interface Measured {
  readonly panel: Pick<Panel, 'title' | 'unit'>;
  readonly lines: readonly Line[];
}

const [WIDTH, MARGIN, COLUMNS] = [1000, 10, 2];
const [HEADING, TITLE, GRAPH, PADDING] = [30, 20, 190, 12];
const COLUMN = (WIDTH - (COLUMNS + 1) * MARGIN) / COLUMNS;
/** Lines after these are grey, and the legend has only their number. */
const COLOURS = [
  ...['#3b6fb6', '#e07b1a', '#c23b3b', '#3f9d8f', '#5a9a3c'],
  ...['#c9a500', '#9a5fa8', '#e377a2', '#8c6239', '#4b5a6b'],
];
const REST = '#c8ccd2';

/** @returns the whole file */
export function drawPicture(title: string, panels: readonly Measured[], phases: readonly Phase[]): string {
  const parts: string[] = [];
  let y = HEADING;
  for (let first = 0; first < panels.length; first += COLUMNS) {
    const drawn = panels
      .slice(first, first + COLUMNS)
      .map((panel, column) => drawPanel(panel, phases, { x: MARGIN + column * (COLUMN + MARGIN), y }));
    parts.push(...drawn.map(({ svg }) => svg));
    y += Math.max(...drawn.map(({ height }) => height));
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" font-family="sans-serif">`,
    `<rect width="${WIDTH}" height="${y}" fill="#fff"/>`,
    text(title, { x: MARGIN, y: 20, size: 15 }),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function drawPanel({ panel, lines }: Measured, phases: readonly Phase[], { x, y }: Place) {
  const coloured = lines.map((line, index) => ({ ...line, colour: COLOURS[index] ?? REST }));
  const graph = drawGraph({ ...{ unit: panel.unit, lines: coloured, phases }, width: COLUMN, height: GRAPH });
  const legend = drawLegend(entriesOf(coloured), { x: x + 8, y: y + TITLE + GRAPH, width: COLUMN - 8 });
  const svg = [
    text(panel.title, { x, y: y + 14, size: 13 }),
    graph.replace('<svg ', `<svg x="${x}" y="${y + TITLE}" `).trim(),
    ...(lines.length === 0
      ? [text('no data', { x: x + COLUMN / 2, y: y + TITLE + GRAPH / 2, size: 13 })]
      : []),
    legend.svg,
  ];
  return { svg: svg.join('\n'), height: TITLE + GRAPH + legend.height + PADDING };
}

function entriesOf(lines: readonly { readonly name: string; readonly colour: string }[]) {
  const rest = lines.length - COLOURS.length;
  const named = lines.slice(0, COLOURS.length);
  return rest <= 0 ? named : [...named, { name: `${rest} more`, colour: REST }];
}

const text = (content: string, { x, y, size }: Place & { readonly size: number }): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="bold" fill="#222">${escapeXml(content)}</text>`;
