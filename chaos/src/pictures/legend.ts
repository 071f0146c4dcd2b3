// The legend below a graph: names in lines that fit the width, each with the colour of its line.
import { escapeXml } from './xml.js';

export interface Entry {
  readonly name: string;
  readonly colour: string;
}

const [LINE_HEIGHT, MARK, GAP] = [15, 16, 12];
/** Widths of characters at 11 px. */
const widthOf = (character: string): number =>
  /[A-Z_mw%]/.test(character) ? 8.2 : /[iljtf.,:' -]/.test(character) ? 4 : 6.4;
const wide = (text: string): number => [...text].reduce((sum, character) => sum + widthOf(character), 0);

/** @returns the SVG of the legend at its place, and its height */
export function drawLegend(
  entries: readonly Entry[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): { readonly svg: string; readonly height: number } {
  let [left, line] = [0, 0];
  const drawn = entries.map(({ name, colour }) => {
    const needed = MARK + wide(name);
    if (left > 0 && left + needed > width) [left, line] = [0, line + 1];
    const [at, middle] = [Math.round(x + left), y + line * LINE_HEIGHT + LINE_HEIGHT / 2];
    left += needed + GAP;
    return (
      `<path d="M${at} ${middle}h12" stroke="${colour}" stroke-width="3"/>` +
      `<text x="${at + MARK}" y="${middle + 4}" font-size="11" fill="#333">${escapeXml(name)}</text>`
    );
  });
  return { svg: drawn.join('\n'), height: entries.length === 0 ? 0 : (line + 1) * LINE_HEIGHT };
}
