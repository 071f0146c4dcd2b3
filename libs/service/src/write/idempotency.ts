// `Idempotency-Key`: the first answer to a key is kept in the transaction of its write, and given again to whoever repeats
// the request. InFlightDuplicates meet at the practice's lock, so the second finds what the first has done.
// Follows the IETF draft draft-ietf-httpapi-idempotency-key-header.

import { createHash } from 'node:crypto';
import { reject, schemaOf } from '@practice/core';
import { ownPracticeOnly } from '@practice/event-store';
import type { Statement } from '@practice/event-store';
import type { RestResponse } from '@practice/query';
import type { Guard } from '../storage/transaction.js';

/** A request that may be repeated: its key, and what it asks for in a form that can be compared. */
export interface Repeatable {
  readonly key: string;
  readonly hash: string;
}

/** Raised within a transaction, which it ends, when the request was answered before. */
export class Replayed extends Error {
  constructor(readonly reply: RestResponse) {
    super('answered before');
  }
}

const table = (service: string): string => `"${schemaOf(service)}".idempotency`;

/** DDL for the answers that a service keeps. */
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

/** What makes two requests the same: everything that they do. */
export const hashOf = (parts: readonly (string | Uint8Array | undefined)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part ?? '').update('\0');
  return hash.digest('base64url');
};

/** @throws {Replayed} (within the transaction) when the key has its answer; {Rejection} PM005 when that was to something else */
export function guardOf(service: string, therapistId: string, { key, hash }: Repeatable): Guard {
  return {
    statements: [
      {
        text: `SELECT hash, status, headers, body FROM ${table(service)}
WHERE therapist_id = $1 AND key = $2 AND answered_at > now() - interval '24 hours'`,
        values: [therapistId, key],
      },
    ],
    check: ([rows = []]) => {
      const [row] = rows;
      if (row === undefined) return;
      const [known, status, headers, body] = row;
      if (known !== hash) reject(usedOtherwise);
      const first = JSON.parse(headers ?? '{}') as RestResponse['headers'];
      throw new Replayed({
        status: Number(status),
        headers: { ...first, 'Idempotency-Replayed': 'true' },
        body: body ?? null,
      });
    },
  };
}

/** Lets go of answers a day old, then keeps this one. */
export const rememberAnswer = (
  service: string,
  therapistId: string,
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
