// The tables of personal values. The log stores the values sealed; what opens them, and their plain form for reads, are here, where
// they can be erased.

import { SYSTEM } from './acting.js';
import { isWritableBy, ownPracticeOnly } from './row-security.js';

/** DDL for the keys and the plain values of a service. @param schema also the role that serves requests */
export function personalTables(schema: string): string[] {
  return [
    // A key of a client, or of the practice if `client_id` is its id: sealed by the service's key-encryption key. Without a key,
    // the row is a tombstone: the client was erased, `erased_events` events had values, and no key can be made again.
    `CREATE TABLE "${schema}".personal_keys (
      therapist_id uuid NOT NULL,
      client_id uuid NOT NULL,
      sealed_key text,
      created_at timestamp with time zone NOT NULL DEFAULT now(),
      erased_at timestamp with time zone,
      erased_events bigint,
      CONSTRAINT personal_keys_pkey PRIMARY KEY (therapist_id, client_id)
    )`,
    // The personal values of an event of the log.
    `CREATE TABLE "${schema}".personal_values (
      therapist_id uuid NOT NULL,
      position bigint NOT NULL,
      aggregate text NOT NULL,
      data jsonb,
      previous jsonb,
      CONSTRAINT personal_values_pkey PRIMARY KEY (therapist_id, position)
    )`,
    ...own(schema, 'personal_keys', ['UPDATE']),
    ...own(schema, 'personal_values', ['UPDATE', 'DELETE']),
    `GRANT SELECT ON "${schema}".personal_values TO "${schema}_relay"`,
  ];
}

/** @param erasing commands of an erasure, which only the service itself may use, never in the role of a caller */
function own(schema: string, table: string, erasing: readonly string[]): string[] {
  const on = `"${schema}".${table}`;
  return [
    ...ownPracticeOnly({ schema, role: schema }, table),
    ...erasing.map(
      (command) =>
        `CREATE POLICY ${command.toLowerCase()}_erased ON ${on} AS RESTRICTIVE FOR ${command} TO "${schema}" USING (${isWritableBy([SYSTEM])})`,
    ),
    `CREATE POLICY relay ON ${on} TO "${schema}_relay" USING (true)`,
    `GRANT ${['SELECT', 'INSERT', ...erasing].join(', ')} ON ${on} TO "${schema}"`,
  ];
}
