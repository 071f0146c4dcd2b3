// Lines of CSV as Postgres quotes the fields of a row.

/** The header line: names are quoted where a reader of CSV needs it. */
export const csvHeader = (names: readonly string[]): string =>
  names.map((name) => (/[",\s]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');

/** A text that is not null as a field. */
export const csvField = (text: string): string =>
  text === '' || /["\\(),\s]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text;
