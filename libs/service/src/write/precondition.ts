// `If-Match`: a change that was thought out against an older version of a record is refused, and told what has changed since.

import { reject } from '@practice/core';
import { logTable } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import { matchesVersion, namesOneRecord } from '@practice/query';
import type { Transaction } from '../storage/transaction.js';
import type { Intent } from './intent.js';
import type { AnyWritePlan } from './intents.js';

/** @throws {Rejection} PM006 when the record is of another version than the header names; 400 where there is no one record */
export async function checkPrecondition(
  transaction: Transaction,
  plan: AnyWritePlan,
  at: { ifMatch: string; intents: readonly Intent[] },
): Promise<void> {
  const { ifMatch, intents } = at;
  if ((plan.kind !== 'update' && plan.kind !== 'delete') || !namesOneRecord(plan.where))
    return reject(needsOneRecord);
  const [intent] = intents;
  if (intent === undefined) return reject({ ...changedSince, details: 'There is no such record.' });
  if (matchesVersion(ifMatch, intent.version)) return;
  const known = Number(/\d+/.exec(ifMatch)?.[0] ?? 0);
  const { service, therapistId } = transaction.log;
  const [rows = []] = await transaction.load([
    eventsSince(service, therapistId, { ...plan.resource, id: intent.id, known }),
  ]);
  reject({
    ...changedSince,
    details: rows.map(told).join(' ') || `The record is at version ${intent.version}.`,
  });
}

/** Which kinds of event came after a version, when, and which columns they hold: never what is in them. */
const eventsSince = (
  service: string,
  therapistId: string,
  { aggregate, id, known }: { aggregate: string; id: string; known: number },
): Statement => ({
  text: `SELECT type, to_json(recorded_at) #>> '{}', (SELECT string_agg(key, ', ' ORDER BY key) FROM jsonb_object_keys(data) AS key)
FROM ${logTable(service, 'events')}
WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = $3 AND version > $4 ORDER BY version LIMIT 20`,
  values: [therapistId, id, aggregate, known],
});

const told = ([type, at, columns]: TextRow): string => `${type} at ${at}: ${columns ?? 'the record'}.`;

const changedSince = {
  status: 412,
  code: 'PM006',
  message: 'the record has changed since the version that If-Match names',
  hint: 'Read it again and decide anew.',
};

const needsOneRecord = {
  status: 400,
  code: 'PM006',
  message: 'If-Match needs one record',
  hint: 'Name it with id=eq.… on PATCH or DELETE.',
};
