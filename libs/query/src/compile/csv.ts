// Lines of CSV, quoted as Postgres quotes the fields of a row.

/** The header line. Names are quoted if CSV requires it. */
export const csvHeader = (names: readonly string[]): string =>
  names.map((name) => (/[",\s]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');

/** A text as a field; an empty field is null. */
export const csvField = (text: string): string =>
  text === '' || /["\\(),\s]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text;
