// Preconditions: a change that is based on an older version of a record is refused, and the refusal lists the changes since.

import { forRecord, needsOneRecord, problemFor, reject } from '@practice/core';
import { logTable, type Statement, type TextRow } from '@practice/log';
import { matchesVersion, namesOneRecord, type WritePlan } from '@practice/query';
import { visibleColumns, type Resource } from '@practice/resource';
import { retryUnbatched, type PracticeLog, type Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import type { Intent } from './intent.js';

/**
 * Checks `If-Match`, and the `updated_at` of records that are sent back.
 * @throws {Rejection} PM006: 412 when a record has changed since; 400 when If-Match is used without one record's id
 */
export function* checkPreconditions(
  view: PracticeView,
  plan: WritePlan,
  { ifMatch, intents }: { ifMatch: string | undefined; intents: readonly Intent[] },
): Resumable<void> {
  if (ifMatch !== undefined) yield* checkIfMatch(view, plan, { ifMatch, intents });
  for (const [index, { id, readAt, state }] of intents.entries()) {
    if (readAt === undefined) continue;
    const since = { column: 'recorded_at', value: readAt } as const;
    const changes = yield* changesSince(view, plan, { id, since });
    // A record that was deleted before the caller read it has not changed since: it is created again.
    if (state === null && changes === '') continue;
    const details = changes || `The record was last changed at ${String(state?.['updated_at'])}.`;
    forRecord(index, intents.length, () => reject({ ...changedSinceRead, details }));
  }
}

/**
 * Checks `If-Match` for a call of a function about one record.
 * @throws {Rejection} 412 PM006 when the record has another version
 */
export function checkVersion(version: number, ifMatch: string | undefined): void {
  if (ifMatch === undefined || matchesVersion(ifMatch, version)) return;
  reject({ ...changedSinceVersion, details: `The record is at version ${version}.` });
}

/** @throws {Rejection} 400 PM006 for If-Match on the call of a function that is about no single record */
export function refuseIfMatch(ifMatch: string | undefined): void {
  if (ifMatch !== undefined) reject(notAboutOneRecord);
}

/** The largest `integer` of Postgres. */
const MAX_VERSION = 2 ** 31 - 1;

function* checkIfMatch(
  view: PracticeView,
  plan: WritePlan,
  { ifMatch, intents }: { ifMatch: string; intents: readonly Intent[] },
): Resumable<void> {
  checkMatchable(plan);
  const [intent] = intents;
  if (intent === undefined) return reject({ ...changedSinceVersion, details: 'The record does not exist.' });
  if (matchesVersion(ifMatch, intent.version)) return;
  const named = Number(/\d+/.exec(ifMatch)?.[0] ?? 0);
  const since = { column: 'version', value: String(Math.min(named, MAX_VERSION)) } as const;
  const changes = yield* changesSince(view, plan, { id: intent.id, since });
  const details = changes || `The record is at version ${intent.version}.`;
  reject({ ...changedSinceVersion, details });
}

/** @throws {Rejection} PM006 unless the write names one record, and the caller sees all of its columns */
function checkMatchable(plan: WritePlan): void {
  const isChange = plan.kind === 'update' || plan.kind === 'delete';
  if (!isChange || !namesOneRecord(plan.where)) reject(needsOneRecord);
  if (!plan.isVersioned) reject(notVersioned);
}

interface Since {
  readonly column: 'version' | 'recorded_at';
  readonly value: string;
}

/** A sentence for each later event: its type, its time and the visible columns that it has, never their values. */
function* changesSince(
  view: PracticeView,
  { resource }: WritePlan,
  { id, since }: { id: string; since: Since },
): Resumable<string> {
  // The log does not have the events of this group yet.
  if (view.staged.of(resource.name).has(id)) return yield* retryUnbatched();
  const rows = yield* view.rows(eventsSince(view.log, resource, { id, since }));
  return rows.map(sentence).join(' ');
}

const eventsSince = (
  { service, therapistId }: PracticeLog,
  resource: Resource,
  { id, since }: { id: string; since: Since },
): Statement => ({
  text: `SELECT type, to_json(recorded_at) #>> '{}', (SELECT string_agg(key, ', ' ORDER BY key) FROM jsonb_object_keys(data) AS key WHERE key = ANY ($5))
FROM ${logTable(service, 'events')}
WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = $3 AND ${since.column} > $4 ORDER BY version LIMIT 20`,
  values: [therapistId, id, resource.aggregate, since.value, visibleColumns(resource).map(([name]) => name)],
});

const sentence = ([type, at, columns]: TextRow): string => `${type} at ${at}: ${columns ?? 'the record'}.`;

const stale = problemFor('PM006', { hint: 'Reload the record and retry.' });

const changedSinceVersion = {
  ...stale,
  message: 'the record has changed since the version that If-Match names',
};

const changedSinceRead = {
  ...stale,
  message: 'the record has changed since the updated_at that was sent',
};

/** The details of a refusal name the columns that have changed since. */
const notVersioned = problemFor('PM006', {
  status: 400,
  message: 'If-Match needs a role that sees every column of the record',
});

const notAboutOneRecord = problemFor('PM006', {
  status: 400,
  message: 'If-Match needs one record, and this function is not about one',
});
