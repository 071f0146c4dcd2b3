import type { Reply } from '@practice/bus';

/** The rows of a reply that is a JSON array, without its brackets. */
export const rowsIn = ({ body }: Reply<Buffer>): string => body.toString().trim().slice(1, -1).trim();

/** A JSON array of rows. @param rows any number of rows in each text */
export const arrayOf = (rows: readonly string[]): string =>
  `[${rows.filter((text) => text !== '').join(',')}]`;
