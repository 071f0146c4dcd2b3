// Records that may already exist: each is found by its conflict target, then changed, skipped or created.

import { newId, reject, type Steps, forRecord } from '@practice/core';
import type { UpsertPlan } from '@practice/query';
import { checkedValues, creationInstants, newRecord, type Lookup, type Row } from '@practice/resource';
import type { Versioned } from '@practice/storage';
import { duplicateId } from './creations.js';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { recordLoads, records as storedRecords, versionLoads, versions } from './group/questions.js';
import { changeOf, type Intent } from './intent.js';

/** The intents that follow from the records that exist. */
export function* upserts(
  plan: UpsertPlan,
  now: string,
): Steps<(view: PracticeView) => Resumable<readonly Intent[]>> {
  const { resource, therapistId, records, conflictTarget } = plan;
  const createdAt = creationInstants(now, records.length);
  const rows: Row[] = [];
  for (const [index, body] of records.entries()) {
    const terms = { therapistId, now, createdAt: createdAt[index], id: newId };
    rows.push(forRecord(index, records.length, () => newRecord(resource, body, terms)));
    yield;
  }
  const givenIds = rows.filter((_, index) => records[index]?.['id'] != null).map((row) => String(row['id']));
  const isById = conflictTarget[0] === 'id';
  return function* (view) {
    const [byKey, byId] = [keyLookup(plan, rows), { column: 'id', values: isById ? [] : givenIds }];
    yield* view.load([
      ...recordLoads(view, resource, byKey),
      ...versionLoads(view, resource, givenIds),
      ...recordLoads(view, resource, byId),
    ]);
    const existing = yield* storedRecords(view, resource, byKey);
    const last = yield* versions(view, resource, givenIds);
    const withId = yield* storedRecords(view, resource, byId);
    return yield* intentsFor(plan, rows, {
      existing: new Map(existing.map((record) => [keyOf(conflictTarget, record.row), record])),
      takenIds: new Set(withId.map(({ row }) => String(row['id']))),
      last,
    });
  };
}

interface Existing {
  /** The records that the conflict target finds. */
  readonly existing: ReadonlyMap<string, Versioned>;
  /** Given ids of existing records, for a conflict target that may not find them: they must not be created again. */
  readonly takenIds: ReadonlySet<string>;
  /** Versions of streams whose record was deleted. */
  readonly last: ReadonlyMap<string, number>;
}

function* intentsFor(
  plan: UpsertPlan,
  rows: readonly Row[],
  { existing, takenIds, last }: Existing,
): Steps<Intent[]> {
  const { resource, merges, conflictTarget, onConflict, therapistId } = plan;
  const seen = new Set<string>();
  const ids = new Set(takenIds);
  const intentOf = (record: Row, index: number): Intent[] =>
    forRecord(index, rows.length, () => {
      const key = keyOf(conflictTarget, record);
      const isRepeated = seen.has(key);
      seen.add(key);
      const found = existing.get(key);
      if (onConflict === 'ignore' && (isRepeated || found !== undefined)) return [];
      if (isRepeated) reject(twice);
      if (found !== undefined)
        return [changeOf(resource, checkedValues(resource, merges[index] ?? {}, therapistId), found)];
      const id = String(record['id']);
      if (ids.has(id)) reject(duplicateId(resource, id));
      ids.add(id);
      return [creation(record, plan.records[index]?.['updated_at'], last.get(id) ?? 0)];
    });
  const intents: Intent[] = [];
  for (const [index, record] of rows.entries()) {
    intents.push(...intentOf(record, index));
    yield;
  }
  return intents;
}

/** @param readAt the `updated_at` that was sent: if the record has existed, it must not have been deleted since */
const creation = (record: Row, readAt: unknown, version: number): Intent => ({
  id: String(record['id']),
  command: { kind: 'create', record },
  state: null,
  version,
  ...(version > 0 && typeof readAt === 'string' ? { readAt } : {}),
});

/** The first column is selective enough: the rest of the target is compared here. */
function keyLookup({ resource, conflictTarget }: UpsertPlan, rows: readonly Row[]): Lookup {
  const column = conflictTarget[0] ?? 'id';
  const values = [...new Set(rows.map((row) => row[column]).filter((value) => value != null))].map(String);
  return { resource: resource.name, column, values };
}

/** Null equals nothing, not even null: such a record is always new. */
function keyOf(target: readonly string[], row: Row): string {
  const values = target.map((name) => row[name]);
  return values.some((value) => value == null) ? newId() : JSON.stringify(values);
}

/** The request is at fault, so it is 400 where PostgREST returns 500. */
const twice = {
  status: 400,
  code: '21000',
  message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
  hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
};
