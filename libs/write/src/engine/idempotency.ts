// `Idempotency-Key`: the first response to a key is stored in the transaction of its write, and sent again when the request is
// repeated. Concurrent duplicates wait for the practice's lock, so the second finds the response of the first.
// Follows the IETF draft draft-ietf-httpapi-idempotency-key-header.

import { problemFor, reject } from '@practice/core';
import { countKept, listsOf, sql, type PracticeKey, type Statement, type TextRow } from '@practice/log';
import type { Accessed, Repeatable, RestResponse } from '@practice/query';
import { GIVEN_UP, MADE_BY, idempotencyOf, OLD, type Sweep } from '@practice/storage';

/** A response as it is stored under the request's key. */
export interface IdempotencyRecord extends Repeatable {
  readonly reply: RestResponse;
}

/** An idempotency record of one of several practices. */
export interface PracticeIdempotencyRecord extends IdempotencyRecord {
  readonly therapistId: string;
}

/** The part of a step that stores a response under the key of the request; empty for a request without a key. */
export const keptUnder = <T>(
  repeatable: Repeatable | undefined,
  replyIn: (value: T) => RestResponse,
): { readonly idempotencyRecord?: (value: T) => IdempotencyRecord } =>
  repeatable === undefined
    ? {}
    : { idempotencyRecord: (value) => ({ ...repeatable, reply: replyIn(value) }) };

/** The most expired records that one statement deletes: a response may have tens of megabytes, and the relay's statements have 10 seconds. */
const EXPIRED_AT_ONCE = 50;

/** Deletes the expired records of all practices. */
export const expiredIdempotency = (service: string): Sweep => ({
  table: 'idempotency',
  atOnce: EXPIRED_AT_ONCE,
  statement: sql(
    `DELETE FROM ${idempotencyOf(service)} WHERE (therapist_id, key) IN (
  SELECT therapist_id, key FROM ${idempotencyOf(service)} WHERE ${OLD} ORDER BY answered_at LIMIT ${EXPIRED_AT_ONCE}) RETURNING 1`,
  ),
});

/** Selects the records of these keys. A row is the index of the key, from 1, then the columns that `replayOf` reads. */
export const selectIdempotency = (service: string, keys: readonly PracticeKey[]): Statement => ({
  text: `SELECT wanted.index, a.hash, a.status, a.headers, a.body
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted(therapist_id, key, index)
JOIN ${idempotencyOf(service)} AS a ON a.therapist_id = wanted.therapist_id AND a.key = wanted.key
WHERE NOT a.${OLD}`,
  values: listsOf(keys, 'therapistId', 'key'),
});

/** A record as a query of the table would return it. */
export const idempotencyRow = ({ hash, attempt, reply }: IdempotencyRecord): TextRow => [
  hash,
  String(reply.status),
  JSON.stringify(storedHeaders(reply, attempt)),
  reply.body,
];

/** A header that is stored but not sent: it has the confidential records that the response shows. */
const ACCESSED = 'Accessed-Records';

function storedHeaders({ headers, unrecorded = new Map() }: RestResponse, attempt: string | undefined) {
  const own = attempt === undefined ? headers : { ...headers, [MADE_BY]: attempt };
  return unrecorded.size === 0 ? own : { ...own, [ACCESSED]: JSON.stringify([...unrecorded]) };
}

/**
 * The stored response to a repeated request; null for a new request.
 * @param rows the row of its idempotency record, if there is one
 * @throws {Rejection} PM005 when the key was used for another request
 */
export function replayOf(repeatable: Repeatable, [row]: readonly TextRow[]): RestResponse | null {
  if (row === undefined) return null;
  const [hash, status, headers, body] = row;
  const { [ACCESSED]: accessed, [MADE_BY]: _, ...first } = headersIn(headers);
  if (first[GIVEN_UP] !== undefined && first[GIVEN_UP] !== (repeatable.attempt ?? '')) return null;
  if (hash !== repeatable.hash) reject(usedOtherwise);
  return {
    status: Number(status),
    headers: { ...first, 'Idempotency-Replayed': 'true' },
    body: body ?? null,
    ...(accessed !== undefined && { unrecorded: new Map(JSON.parse(accessed) as [string, Accessed][]) }),
  };
}

const headersIn = (stored: string | null | undefined) =>
  JSON.parse(stored ?? '{}') as RestResponse['headers'];

/** Whether the response has a change that another attempt has made, and its record does not show yet that several attempts have got it. */
export function isOfOther({ attempt }: Repeatable, [row]: readonly TextRow[]): boolean {
  if (attempt === undefined || row === undefined) return false;
  const { [MADE_BY]: maker = '', 'Change-Id': change } = headersIn(row[2]);
  return change !== undefined && !['', attempt].includes(maker);
}

/** Stores in the record of a key that several attempts have got the response. */
export const shareIdempotency = (service: string, therapistId: string, key: string): Statement => ({
  text: `UPDATE ${idempotencyOf(service)} SET headers = headers || jsonb_build_object('${MADE_BY}', '') WHERE therapist_id = $1 AND key = $2`,
  values: [therapistId, key],
});

/** Finds a row if no other attempt has got the response under the key. Records of earlier versions name no attempt, and count as own. */
export const ownRecord = (service: string, therapistId: string, own: Repeatable): Statement => ({
  text: `SELECT 1 FROM ${idempotencyOf(service)} WHERE therapist_id = $1 AND key = $2 AND coalesce(headers ->> '${MADE_BY}', $3) = $3`,
  values: [therapistId, own.key, own.attempt ?? ''],
});

/** Deletes the record of a key. */
export const forgetIdempotency = (service: string, therapistId: string, key: string): Statement => ({
  text: `DELETE FROM ${idempotencyOf(service)} WHERE therapist_id = $1 AND key = $2`,
  values: [therapistId, key],
});

/** A response of this size does not count: its row is not larger than that of an entry of the access log. */
const UNCOUNTED_BYTES = 1_024;

/** The size with which a record counts. */
export function keptBytes({ reply, attempt }: IdempotencyRecord): number {
  const bytes =
    Buffer.byteLength(reply.body ?? '') + Buffer.byteLength(JSON.stringify(storedHeaders(reply, attempt)));
  return bytes > UNCOUNTED_BYTES ? bytes : 0;
}

/** Stores and counts these records. A record under the same key that has expired or is of an attempt that was given up is removed first. */
export function storeIdempotency(
  service: string,
  records: readonly PracticeIdempotencyRecord[],
): Statement[] {
  if (records.length === 0) return [];
  const rows = records.map(({ therapistId, key, hash, attempt, reply }) => ({
    therapist_id: therapistId,
    key,
    hash,
    status: reply.status,
    headers: storedHeaders(reply, attempt),
    body: reply.body,
  }));
  const counted = records
    .map((record) => ({ therapistId: record.therapistId, bytes: keptBytes(record) }))
    .filter(({ bytes }) => bytes > 0);
  return [
    {
      text: `DELETE FROM ${idempotencyOf(service)} WHERE (therapist_id, key) IN (SELECT * FROM unnest($1::uuid[], $2::text[])) AND (${OLD} OR headers ? '${GIVEN_UP}')`,
      values: listsOf(records, 'therapistId', 'key'),
    },
    {
      text: `INSERT INTO ${idempotencyOf(service)} (therapist_id, key, hash, status, headers, body)
SELECT * FROM json_to_recordset($1::json) AS r(therapist_id uuid, key text, hash text, status integer, headers jsonb, body text)`,
      values: [JSON.stringify(rows)],
    },
    ...(counted.length === 0 ? [] : [countKept(service, counted)]),
  ];
}

const usedOtherwise = problemFor('PM005');
