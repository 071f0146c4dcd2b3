import { schemaOf } from '@practice/core';
import { ownPracticeOnly } from '@practice/log';

/** How long an answer is kept. */
export const OLD = `answered_at <= now() - interval '24 hours'`;

export const idempotencyOf = (service: string): string => `"${schemaOf(service)}".idempotency`;

/** DDL for the answers that a service stores. */
export function idempotencyTable(service: string): string[] {
  const schema = schemaOf(service);
  return [
    `CREATE TABLE ${idempotencyOf(service)} (
      therapist_id uuid NOT NULL,
      key text NOT NULL,
      hash text NOT NULL,
      status integer NOT NULL,
      headers jsonb NOT NULL,
      body text,
      answered_at timestamp with time zone NOT NULL DEFAULT now(),
      CONSTRAINT idempotency_pkey PRIMARY KEY (therapist_id, key)
    )`,
    `CREATE INDEX idempotency_old_idx ON ${idempotencyOf(service)} (answered_at)`,
    ...ownPracticeOnly({ schema, role: schema }, 'idempotency'),
    `CREATE POLICY old ON ${idempotencyOf(service)} TO "${schema}_relay" USING (${OLD})`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${idempotencyOf(service)} TO "${schema}"`,
    `GRANT SELECT (therapist_id, key, answered_at), DELETE ON ${idempotencyOf(service)} TO "${schema}_relay"`,
  ];
}
