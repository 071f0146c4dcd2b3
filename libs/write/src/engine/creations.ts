import { newId, problemFor, reject, type Steps, forRecord } from '@practice/core';
import type { InsertPlan } from '@practice/query';
import { creationInstants, newRecord, type Resource } from '@practice/resource';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { recordLoads, records as storedRecords, versionLoads, versions } from './group/questions.js';
import type { Intent } from './intent.js';

/** The intents of an insert, and the ids that the caller chose. */
export function* creations(
  { resource, records, therapistId }: InsertPlan,
  now: string,
): Steps<{ intents: Intent[]; givenIds: string[] }> {
  const intents: Intent[] = [];
  const givenIds: string[] = [];
  const createdAt = creationInstants(now, records.length);
  for (const [index, body] of records.entries()) {
    const record = forRecord(index, records.length, () =>
      newRecord(resource, body, { therapistId, now, createdAt: createdAt[index], id: newId }),
    );
    const id = String(record['id']);
    if (body['id'] !== undefined && body['id'] !== null) givenIds.push(id);
    intents.push({ id, command: { kind: 'create', record }, state: null, version: 0 });
    yield;
  }
  return { intents, givenIds };
}

/**
 * The intents with the versions of their streams, if the ids that the caller chose are free. Other ids are new and not looked up.
 * @throws {Rejection} 23505 when a record has one of the chosen ids
 */
export function* continued(
  view: PracticeView,
  resource: Resource,
  { intents, givenIds }: { intents: readonly Intent[]; givenIds: readonly string[] },
): Resumable<readonly Intent[]> {
  if (givenIds.length === 0) return intents;
  const byId = { column: 'id', values: givenIds };
  yield* view.load([...recordLoads(view, resource, byId), ...versionLoads(view, resource, givenIds)]);
  const existing = yield* storedRecords(view, resource, byId);
  // The stream of a deleted record continues where it ended.
  const last = yield* versions(view, resource, givenIds);
  const taken = new Set(existing.map(({ row }) => row['id']));
  return intents.map((intent, index) =>
    forRecord(index, intents.length, () => {
      if (taken.has(intent.id)) reject(duplicateId(resource, intent.id));
      taken.add(intent.id);
      return { ...intent, version: last.get(intent.id) ?? 0 };
    }),
  );
}

/** 23505 on the primary key. */
export const duplicateId = (resource: Resource, id: string) =>
  problemFor('23505', {
    message: `duplicate key value violates unique constraint "${resource.name}_pkey"`,
    details: `Key (id)=(${id}) already exists.`,
  });
