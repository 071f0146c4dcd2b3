// Records that may be there already: each is found by the columns that say which one it is, then changed, passed over or made.

import { reject } from '@practice/core';
import { streamVersions } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { UpsertPlan } from '@practice/query';
import { checkedValues, newRecord } from '@practice/resource';
import type { Lookup, Row } from '@practice/resource';
import { v7 as uuidv7 } from 'uuid';
import { readRows, selectRows } from '../storage/tables.js';
import type { Versioned } from '../storage/tables.js';
import { changeOf, forRecord } from './intent.js';
import type { Intent } from './intent.js';

/** What tells which of the records exist, and the intents that follow from the answers. */
export function upserts(
  plan: UpsertPlan,
  now: string,
): { statements: Statement[]; intentsOf: (answers: readonly TextRow[][]) => Intent[] } {
  const { resource, therapistId, records, conflictTarget } = plan;
  const rows = records.map((body, index) =>
    forRecord(index, records.length, () =>
      newRecord(resource, body, { therapistId, now, id: () => uuidv7() }),
    ),
  );
  const givenIds = rows.filter((_, index) => records[index]?.['id'] != null).map((row) => String(row['id']));
  return {
    statements: [
      selectRows(resource, therapistId, keyLookup(plan, rows)),
      streamVersions({ service: resource.service, therapistId }, resource.aggregate, givenIds),
    ],
    intentsOf: ([found = [], versions = []]) => {
      const existing = new Map(
        readRows(resource, found).map((record) => [keyOf(conflictTarget, record.row), record]),
      );
      const last = new Map(versions.map(([id, version]) => [id, Number(version)]));
      return intentsFor(plan, rows, { existing, last });
    },
  };
}

interface Known {
  readonly existing: ReadonlyMap<string, Versioned>;
  /** Versions of streams whose record is gone. */
  readonly last: ReadonlyMap<string | null | undefined, number>;
}

function intentsFor(plan: UpsertPlan, rows: readonly Row[], { existing, last }: Known): Intent[] {
  const { resource, merges, conflictTarget, onConflict, therapistId } = plan;
  const seen = new Set<string>();
  return rows.flatMap((record, index): Intent[] =>
    forRecord(index, rows.length, () => {
      const key = keyOf(conflictTarget, record);
      const isRepeated = seen.has(key);
      seen.add(key);
      const there = existing.get(key);
      if (onConflict === 'ignore' && (isRepeated || there !== undefined)) return [];
      if (isRepeated) reject(twice);
      if (there !== undefined)
        return [changeOf(resource, checkedValues(resource, merges[index] ?? {}, therapistId), there)];
      const id = String(record['id']);
      return [{ id, command: { kind: 'create', record }, state: null, version: last.get(id) ?? 0 }];
    }),
  );
}

/** One column narrows it down enough: the rest of the target is compared here. */
function keyLookup({ resource, conflictTarget }: UpsertPlan, rows: readonly Row[]): Lookup {
  const column = conflictTarget[0] ?? 'id';
  const values = [...new Set(rows.map((row) => row[column]).filter((value) => value != null))].map(String);
  return { resource: resource.name, column, values };
}

/** Null equals nothing, itself included: such a record is always new. */
function keyOf(target: readonly string[], row: Row): string {
  const values = target.map((name) => row[name]);
  return values.some((value) => value == null) ? uuidv7() : JSON.stringify(values);
}

/** 500, as PostgREST answers what Postgres says so. */
const twice = {
  status: 500,
  code: '21000',
  message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
  hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
};
