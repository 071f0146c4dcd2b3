// Records that may already exist: each is found by its conflict target, then changed, skipped or created.

import { type Identity, newId, problemFor, reject, type Steps, forRecord } from '@practice/core';
import type { UpsertPlan } from '@practice/query';
import { checkedValues, creationInstants, newRecord, type Lookup, type Row } from '@practice/resource';
import type { Versioned } from '@practice/storage';
import { duplicateId } from './creations.js';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { recordLoads, records as storedRecords, versionLoads, versions } from './group/questions.js';
import { changeOf, checkWritable, type Intent } from './intent.js';

type BodyRow = UpsertPlan['records'][number];

/** A record that was sent: the values that find an existing record, and the new record that it would be. */
interface SentRecord {
  readonly key: Row;
  /** @throws {Rejection} when the body lacks what a new record needs */
  readonly asNew: () => Row;
}

/** The intents that follow from the records that exist. Only new records need the required columns. */
export function* upserts(
  plan: UpsertPlan,
  now: string,
  by: Identity,
): Steps<(view: PracticeView) => Resumable<readonly Intent[]>> {
  const { resource, records, conflictTarget } = plan;
  const sent = yield* sentRecords(plan, now);
  const givenIds = sent.flatMap(({ key }, index) =>
    records[index]?.['id'] == null ? [] : String(key['id']),
  );
  const isById = conflictTarget[0] === 'id';
  return function* (view) {
    const [byKey, byId] = [keyLookup(plan, sent), { column: 'id', values: isById ? [] : givenIds }];
    yield* view.load([
      ...recordLoads(view, resource, byKey),
      ...versionLoads(view, resource, givenIds),
      ...recordLoads(view, resource, byId),
    ]);
    const existing = yield* storedRecords(view, resource, byKey);
    const last = yield* versions(view, resource, givenIds);
    const withId = yield* storedRecords(view, resource, byId);
    return yield* intentsFor(plan, sent, {
      existing: new Map(existing.map((record) => [keyOf(conflictTarget, record.row), record])),
      takenIds: new Set(withId.map(({ row }) => String(row['id']))),
      last,
      by,
    });
  };
}

function* sentRecords(plan: UpsertPlan, now: string): Steps<SentRecord[]> {
  const { resource, therapistId, records, isPut } = plan;
  const createdAt = creationInstants(now, records.length);
  const sent: SentRecord[] = [];
  for (const [index, body] of records.entries()) {
    const terms = { therapistId, now, createdAt: createdAt[index], id: newId };
    const asNew = (): Row => newRecord(resource, body, terms);
    // A PUT names every column of its record.
    const key = forRecord(index, records.length, () => (isPut ? asNew() : keyValues(plan, body)));
    sent.push({ key, asNew });
    yield;
  }
  return sent;
}

/**
 * The values of the conflict target and the id; a column left out has its default.
 * @throws {Rejection} for a malformed value in any column, or the id of another practice, even if the record would be ignored
 */
function keyValues({ resource, therapistId, conflictTarget }: UpsertPlan, body: BodyRow): Row {
  const values = checkedValues(resource, body, therapistId);
  const named = [...new Set(['id', ...conflictTarget])].map((name) => {
    const given = body[name] === undefined ? resource.columns[name]?.default : values[name];
    return [name, given] as const;
  });
  return Object.fromEntries(named.filter(([, value]) => value != null)) as Row;
}

interface Existing {
  /** The records that the conflict target finds. */
  readonly existing: ReadonlyMap<string, Versioned>;
  /** Given ids of existing records, for a conflict target that may not find them: they must not be created again. */
  readonly takenIds: ReadonlySet<string>;
  /** Versions of streams whose record was deleted. */
  readonly last: ReadonlyMap<string, number>;
  /** The caller. */
  readonly by: Identity;
}

function* intentsFor(
  plan: UpsertPlan,
  sent: readonly SentRecord[],
  { existing, takenIds, last, by }: Existing,
): Steps<Intent[]> {
  const { resource, merges, conflictTarget, onConflict, therapistId } = plan;
  const seen = new Set<string>();
  const ids = new Set(takenIds);
  const intentOf = ({ key: values, asNew }: SentRecord, index: number): Intent[] =>
    forRecord(index, sent.length, () => {
      const key = keyOf(conflictTarget, values);
      const isRepeated = seen.has(key);
      seen.add(key);
      const found = existing.get(key);
      if (onConflict === 'ignore' && (isRepeated || found !== undefined)) return [];
      if (isRepeated) reject(twice);
      if (found !== undefined) {
        // Before anything shows the values of the record: a write that changes nothing returns it.
        checkWritable(resource, found.row, by);
        return [changeOf(resource, checkedValues(resource, merges[index] ?? {}, therapistId), found)];
      }
      const record = asNew();
      const id = String(record['id']);
      if (ids.has(id)) reject(duplicateId(resource, id));
      ids.add(id);
      return [creation(record, plan.records[index]?.['updated_at'], last.get(id) ?? 0)];
    });
  const intents: Intent[] = [];
  for (const [index, record] of sent.entries()) {
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

/** The lookup by the first column of the target, which is selective enough. The other columns are compared here. */
function keyLookup({ resource, conflictTarget }: UpsertPlan, sent: readonly SentRecord[]): Lookup {
  const column = conflictTarget[0] ?? 'id';
  const values = [...new Set(sent.map(({ key }) => key[column]).filter((value) => value != null))].map(
    String,
  );
  return { resource: resource.name, column, values };
}

/** Null equals no value, not even null, so a record with null in its target is always new. */
function keyOf(target: readonly string[], row: Row): string {
  const values = target.map((name) => row[name]);
  return values.some((value) => value == null) ? newId() : JSON.stringify(values);
}

/** The request is at fault, so it is 400 where PostgREST returns 500. */
const twice = problemFor('21000', {
  message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
  hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
});
