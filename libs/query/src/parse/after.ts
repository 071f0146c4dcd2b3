// `after` and `Prefer: pages=cursor`: pages that each begin after the last row of the one before.

import type { Preferences } from './preferences.js';
import type { Parameter } from './query-string.js';

/** The name of the parameter. */
export const AFTER = 'after';

/** Histories have a column of that name. A filter has a dot after its operator, which no cursor has. */
export const isAfter = ({ key, value }: Parameter): boolean => key === AFTER && !value.includes('.');

/** The cursor that a read begins after: empty for the first page; undefined if it is not paged by cursor. */
export function afterOf(
  parameters: readonly Parameter[],
  { pages }: Pick<Preferences, 'pages'>,
): string | undefined {
  return parameters.find(isAfter)?.value ?? (pages === null ? undefined : '');
}
