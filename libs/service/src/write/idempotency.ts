// `Idempotency-Key`: the first response to a key is stored in the transaction of its write, and sent again when the request is
// repeated. Concurrent duplicates wait for the practice's lock, so the second finds the response of the first.
// Follows the IETF draft draft-ietf-httpapi-idempotency-key-header.

import { reject, schemaOf } from '@practice/core';
import { ownPracticeOnly } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { RestResponse } from '@practice/query';

/** A request that may be repeated: its key, and a hash of everything that it asks for. */
export interface Repeatable {
  readonly key: string;
  readonly hash: string;
}

interface PracticeLog {
  readonly service: string;
  readonly therapistId: string;
}

const table = (service: string): string => `"${schemaOf(service)}".idempotency`;

/** DDL for the answers that a service stores. */
export function idempotencyTable(service: string): string[] {
  const schema = schemaOf(service);
  return [
    `CREATE TABLE ${table(service)} (
      therapist_id uuid NOT NULL,
      key text NOT NULL,
      hash text NOT NULL,
      status integer NOT NULL,
      headers jsonb NOT NULL,
      body text,
      answered_at timestamp with time zone NOT NULL DEFAULT now(),
      CONSTRAINT idempotency_pkey PRIMARY KEY (therapist_id, key)
    )`,
    `CREATE INDEX idempotency_answered_at_idx ON ${table(service)} (therapist_id, answered_at)`,
    ...ownPracticeOnly({ schema, role: schema }, 'idempotency'),
    `GRANT SELECT, INSERT, DELETE ON ${table(service)} TO "${schema}"`,
  ];
}

/** The answer that is kept under a key. */
export const selectAnswer = ({ service, therapistId }: PracticeLog, { key }: Repeatable): Statement => ({
  text: `SELECT hash, status, headers, body FROM ${table(service)}
WHERE therapist_id = $1 AND key = $2 AND answered_at > now() - interval '24 hours'`,
  values: [therapistId, key],
});

/**
 * The reply to a request that was answered before; null for one that was not.
 * @param rows the result of `selectAnswer`
 * @throws {Rejection} PM005 when the key was used for another request
 */
export function replayOf(repeatable: Repeatable | undefined, [row]: readonly TextRow[]): RestResponse | null {
  if (repeatable === undefined || row === undefined) return null;
  const [hash, status, headers, body] = row;
  if (hash !== repeatable.hash) reject(usedOtherwise);
  const first = JSON.parse(headers ?? '{}') as RestResponse['headers'];
  return {
    status: Number(status),
    headers: { ...first, 'Idempotency-Replayed': 'true' },
    body: body ?? null,
  };
}

/** Removes answers older than a day, then stores this one. */
export const rememberAnswer = (
  { service, therapistId }: PracticeLog,
  { key, hash, reply }: Repeatable & { readonly reply: RestResponse },
): Statement[] => [
  {
    text: `DELETE FROM ${table(service)} WHERE therapist_id = $1 AND answered_at <= now() - interval '24 hours'`,
    values: [therapistId],
  },
  {
    text: `INSERT INTO ${table(service)} (therapist_id, key, hash, status, headers, body) VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [therapistId, key, hash, reply.status, JSON.stringify(reply.headers), reply.body],
  },
];

const usedOtherwise = {
  status: 409,
  code: 'PM005',
  message: 'the Idempotency-Key was used for another request',
  hint: 'Use a new key for a new request.',
};
