// Records that are final: a signed note, an issued invoice.

import type { Problem } from '@practice/core';
import type { Lock } from './resource.js';
import type { Row } from './row.js';

/** The error for a write of the record; undefined unless it is final. */
export function lockOf(
  { name, locked }: { readonly name: string; readonly locked?: Lock },
  record: Row | null,
): Problem | undefined {
  if (locked === undefined || record === null) return undefined;
  const isFinal = Object.entries(locked.where).every(([column, values]) =>
    values.includes(record[column] as string),
  );
  return isFinal ? { ...locked.problem, details: `${name} ${String(record['id'])}.` } : undefined;
}
