// Preconditions: a change that is based on an older version of a record is refused, and the refusal lists the changes since.

import { reject } from '@practice/core';
import { logTable } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import { matchesVersion, namesOneRecord } from '@practice/query';
import type { Transaction } from '../storage/transaction.js';
import { forRecord } from './intent.js';
import type { Intent } from './intent.js';
import type { AnyWritePlan } from './intents.js';

/**
 * Checks `If-Match`, and the `updated_at` of records that are sent back.
 * @throws {Rejection} PM006: 412 when a record has changed since; 400 when If-Match is used without one record's id
 */
export async function checkPreconditions(
  transaction: Transaction,
  plan: AnyWritePlan,
  { ifMatch, intents }: { ifMatch: string | undefined; intents: readonly Intent[] },
): Promise<void> {
  if (ifMatch !== undefined) await checkIfMatch(transaction, plan, { ifMatch, intents });
  for (const [index, { id, readAt, state }] of intents.entries()) {
    if (readAt === undefined) continue;
    const since = { column: 'recorded_at', value: readAt } as const;
    const changes = await changesSince(transaction, plan, { id, since });
    // A record that was deleted before the caller read it has not changed since: it is created again.
    if (state === null && changes === '') continue;
    const details = changes || `The record was last changed at ${String(state?.['updated_at'])}.`;
    forRecord(index, intents.length, () => reject({ ...changedSinceRead, details }));
  }
}

async function checkIfMatch(
  transaction: Transaction,
  plan: AnyWritePlan,
  { ifMatch, intents }: { ifMatch: string; intents: readonly Intent[] },
): Promise<void> {
  if ((plan.kind !== 'update' && plan.kind !== 'delete') || !namesOneRecord(plan.where))
    return reject(needsOneRecord);
  const [intent] = intents;
  if (intent === undefined) return reject({ ...changedSinceVersion, details: 'The record does not exist.' });
  if (matchesVersion(ifMatch, intent.version)) return;
  const since = { column: 'version', value: /\d+/.exec(ifMatch)?.[0] ?? '0' } as const;
  const changes = await changesSince(transaction, plan, { id: intent.id, since });
  const details = changes || `The record is at version ${intent.version}.`;
  reject({ ...changedSinceVersion, details });
}

interface Since {
  readonly column: 'version' | 'recorded_at';
  readonly value: string;
}

/** The types and times of later events with the columns that they hold, as a sentence each. Never their values. */
async function changesSince(
  transaction: Transaction,
  { resource }: AnyWritePlan,
  { id, since }: { id: string; since: Since },
): Promise<string> {
  const [rows = []] = await transaction.load([
    eventsSince(transaction.log, { aggregate: resource.aggregate, id, since }),
  ]);
  return rows.map(sentence).join(' ');
}

const eventsSince = (
  { service, therapistId }: Transaction['log'],
  { aggregate, id, since }: { aggregate: string; id: string; since: Since },
): Statement => ({
  text: `SELECT type, to_json(recorded_at) #>> '{}', (SELECT string_agg(key, ', ' ORDER BY key) FROM jsonb_object_keys(data) AS key)
FROM ${logTable(service, 'events')}
WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = $3 AND ${since.column} > $4 ORDER BY version LIMIT 20`,
  values: [therapistId, id, aggregate, since.value],
});

const sentence = ([type, at, columns]: TextRow): string => `${type} at ${at}: ${columns ?? 'the record'}.`;

const stale = { status: 412, code: 'PM006', hint: 'Reload the record and retry.' };

const changedSinceVersion = {
  ...stale,
  message: 'the record has changed since the version that If-Match names',
};

const changedSinceRead = {
  ...stale,
  message: 'the record has changed since the updated_at that was sent',
};

const needsOneRecord = {
  status: 400,
  code: 'PM006',
  message: 'If-Match needs one record',
  hint: 'Name it with id=eq.… on PATCH or DELETE.',
};
