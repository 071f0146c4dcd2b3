// The number of records that a write may affect. The service gets more time for more records.

import { limits, type ParsedRequest } from '@practice/query';
import type { Resource } from '@practice/resource';

/** The most records that a write may affect, with the records of its dependent commands; undefined for one record. */
export function recordsOf({ mostDependents = 0 }: Resource, request: ParsedRequest): number | undefined {
  const records = Math.min(namedIn(request) * (1 + mostDependents), limits.writtenRows);
  return records > 1 ? records : undefined;
}

/** The number of records that a write names; the most that a request may write if the filter decides. */
function namedIn({ method, rows, options: { conditions } }: ParsedRequest): number {
  if (method === 'POST' || method === 'PUT') return rows.length;
  const namesOne = conditions.some(
    ({ embed, value }) =>
      embed.length === 0 && value.kind === 'filter' && value.field.name === 'id' && value.operator === 'eq',
  );
  return namesOne ? 1 : limits.writtenRows;
}
