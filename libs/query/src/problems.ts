// Problems that more than one stage reports. A problem of a single stage is declared in that stage.

import { problemFor, type Problem } from '@practice/core';

/** More filters, elements or levels than one request may have. */
export const tooMany = (what: string): Problem =>
  problemFor('PM400', { message: `the query is too large: ${what}` });

/** More rows than one request may write. */
export const tooManyRows = (limit: number): Problem =>
  problemFor('PM413', {
    message: `one request writes at most ${limit} rows`,
    hint: 'Split the rows into several requests.',
  });

/** PGRST102: the body cannot be parsed. */
export const invalidBody = (message = 'Empty or invalid json'): Problem =>
  problemFor('PGRST102', { message });
