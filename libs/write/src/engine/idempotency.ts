// `Idempotency-Key`: the first response to a key is stored in the transaction of its write, and sent again when the request is
// repeated. Concurrent duplicates wait for the practice's lock, so the second finds the response of the first.
// Follows the IETF draft draft-ietf-httpapi-idempotency-key-header.

import { problemFor, reject } from '@practice/core';
import { pipeline, run } from '@practice/log';
import type { Statement, TextRow } from '@practice/log';
import type { Accessed, Repeatable, RestResponse } from '@practice/query';
import type { ClientBase } from 'pg';
import { SWEPT_AT_ONCE, idempotencyOf, OLD } from '@practice/storage';
import type { Sweep } from '@practice/storage';

/** A response as it is kept under the request's key. */
export interface Answer extends Repeatable {
  readonly reply: RestResponse;
}

/** A kept answer of one of several practices. */
export interface KeptAnswer extends Answer {
  readonly therapistId: string;
}

/** Deletes answers of all practices that are no longer kept. */
export const oldAnswers = (service: string): Sweep => ({
  table: 'idempotency',
  statement: {
    text: `DELETE FROM ${idempotencyOf(service)} WHERE (therapist_id, key) IN (
  SELECT therapist_id, key FROM ${idempotencyOf(service)} WHERE ${OLD} ORDER BY answered_at LIMIT ${SWEPT_AT_ONCE}) RETURNING 1`,
    values: [],
  },
});

/** The answers that are kept under these keys: the index of the key, from 1, then the columns that `replayOf` reads. */
export const selectAnswers = (
  service: string,
  keys: readonly { readonly therapistId: string; readonly key: string }[],
): Statement => ({
  text: `SELECT wanted.index, a.hash, a.status, a.headers, a.body
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted(therapist_id, key, index)
JOIN ${idempotencyOf(service)} AS a ON a.therapist_id = wanted.therapist_id AND a.key = wanted.key
WHERE NOT a.${OLD}`,
  values: [keys.map(({ therapistId }) => therapistId), keys.map(({ key }) => key)],
});

/** A kept answer as the table would give it. */
export const answerRow = ({ hash, reply }: Answer): TextRow => [
  hash,
  String(reply.status),
  JSON.stringify(keptHeaders(reply)),
  reply.body,
];

/** Kept among the headers, and not sent: the confidential records that the response shows. */
const ACCESSED = 'Accessed-Records';

const keptHeaders = ({ headers, unrecorded = new Map() }: RestResponse): RestResponse['headers'] =>
  unrecorded.size === 0 ? headers : { ...headers, [ACCESSED]: JSON.stringify([...unrecorded]) };

/**
 * The reply to a request that was answered before; null for one that was not.
 * @param rows the row of the kept answer, if there is one
 * @throws {Rejection} PM005 when the key was used for another request
 */
export function replayOf(repeatable: Repeatable | undefined, [row]: readonly TextRow[]): RestResponse | null {
  if (repeatable === undefined || row === undefined) return null;
  const [hash, status, headers, body] = row;
  if (hash !== repeatable.hash) reject(usedOtherwise);
  const { [ACCESSED]: accessed, ...first } = JSON.parse(headers ?? '{}') as RestResponse['headers'];
  return {
    status: Number(status),
    headers: { ...first, 'Idempotency-Replayed': 'true' },
    body: body ?? null,
    ...(accessed !== undefined && { unrecorded: new Map(JSON.parse(accessed) as [string, Accessed][]) }),
  };
}

/** Stores these answers. An old one under the same key, which was not swept yet, is removed first. */
export function rememberAnswers(service: string, answers: readonly KeptAnswer[]): Statement[] {
  if (answers.length === 0) return [];
  const rows = answers.map(({ therapistId, key, hash, reply }) => ({
    therapist_id: therapistId,
    key,
    hash,
    status: reply.status,
    headers: keptHeaders(reply),
    body: reply.body,
  }));
  return [
    {
      text: `DELETE FROM ${idempotencyOf(service)} WHERE (therapist_id, key) IN (SELECT * FROM unnest($1::uuid[], $2::text[])) AND ${OLD}`,
      values: [answers.map(({ therapistId }) => therapistId), answers.map(({ key }) => key)],
    },
    {
      text: `INSERT INTO ${idempotencyOf(service)} (therapist_id, key, hash, status, headers, body)
SELECT * FROM json_to_recordset($1::json) AS r(therapist_id uuid, key text, hash text, status integer, headers jsonb, body text)`,
      values: [JSON.stringify(rows)],
    },
  ];
}

/** The response that is kept under a request's key; null without one. For a write that has a transaction of its own. */
export async function answeredBefore(
  client: ClientBase,
  service: string,
  { therapistId, repeatable }: { readonly therapistId: string; readonly repeatable: Repeatable | undefined },
): Promise<RestResponse | null> {
  if (repeatable === undefined) return null;
  const rows = await run(client, selectAnswers(service, [{ therapistId, key: repeatable.key }]));
  return replayOf(
    repeatable,
    rows.map(([, ...answer]) => answer),
  );
}

/** Keeps a response under its request's key. */
export async function keepAnswer(client: ClientBase, service: string, answer: KeptAnswer): Promise<void> {
  await pipeline(client, rememberAnswers(service, [answer]));
}

const usedOtherwise = problemFor('PM005');
