/** The rows as text with aligned columns. Numbers are aligned to the right. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column]).length)),
  );
  const line = (row: readonly (string | number)[], like: readonly (string | number)[]): string =>
    row
      .map((cell, column) =>
        typeof like[column] === 'number'
          ? String(cell).padStart(widths[column] ?? 0)
          : String(cell).padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(headings, rows[0] ?? []), ...rows.map((row) => line(row, row))].join('\n');
}

/** The time since `time`, in a unit that gives a small number: `90 s`, `15 min`, `5 h`, `3 d`. */
export function age(time: Date, now: number): string {
  const seconds = Math.max(0, Math.round((now - time.getTime()) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}
