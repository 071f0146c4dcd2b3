// Records that are final: a signed note, an issued invoice.

import type { Problem } from '@practice/core';
import type { Row } from './row.js';
import { matches, type Lock } from './where.js';

/** The error for a write of the record; undefined unless it is final. */
export function lockOf(
  { name, locked }: { readonly name: string; readonly locked?: Lock },
  record: Row | null,
): Problem | undefined {
  if (locked === undefined || record === null) return undefined;
  return matches(locked.where, record)
    ? { ...locked.problem, details: `${name} ${String(record['id'])}.` }
    : undefined;
}
