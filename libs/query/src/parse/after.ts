// `after` and `Prefer: pages=cursor`: each page begins after the last row of the previous page.

import type { Preferences } from './preferences.js';
import type { Parameter } from './query-string.js';

/** The name of the parameter. */
export const AFTER = 'after';

/** Whether a parameter is the cursor, and not a filter on the column `after` of a history. A filter has a dot, a cursor has none. */
export const isAfter = ({ key, value }: Parameter): boolean => key === AFTER && !value.includes('.');

/** The cursor that a read begins after: empty for the first page; undefined if it is not paged by cursor. */
export function afterOf(
  parameters: readonly Parameter[],
  { pages }: Pick<Preferences, 'pages'>,
): string | undefined {
  return parameters.find(isAfter)?.value ?? (pages === null ? undefined : '');
}
