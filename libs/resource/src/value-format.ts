// The formats of values in words, for errors.

import type { Column } from './column.js';

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  integer: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  decimal: 'a number, such as 12.50',
  date: 'a day, such as 2030-01-07',
  dates: 'an array of days, such as ["2030-01-07"]',
  timeOfDay: 'a time, such as 09:30',
  timestamp: 'an instant, such as 2030-01-07T09:30:00Z',
  json: 'a JSON object',
  texts: 'an array of texts',
};

/** The values that a column takes: `a whole number`. @param length the most characters of a text */
export const formatOf = ({ kind: { name } }: Column, length: number): string =>
  FORMATS[name] ?? `a text of at most ${length} characters`;
