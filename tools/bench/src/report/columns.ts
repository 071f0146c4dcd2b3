/** Rows under a heading as aligned text: the first column to the left, all others to the right. */
export function columns(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, index) =>
        index === 0 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width),
      )
      .join('  ');
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(heading), rule, ...rows.map(line)].join('\n');
}
