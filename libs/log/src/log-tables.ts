// The tables of a log, the same in every service's schema, with their grants. No role that serves requests can change or delete
// an event; only the owner of the schema could, and it serves no requests.

import { schemaOf } from '@practice/core';
import { chainFunctions } from './chain.js';
import { personalTables } from './personal-tables.js';
import { publishedTable } from './published.js';
import { refillTable } from './refill-table.js';
import { restorationsTable } from './restorations.js';
import { ownPracticeOnly } from './row-security.js';

/**
 * DDL for a service's log.
 * @param service name of its schema and of its request role; `<service>_relay` is the role of its relay
 */
export function logTables(service: string): string[] {
  const schema = schemaOf(service);
  return [
    ...eventTables(schema),
    ...personalTables(schema),
    ...publishedTable(schema),
    ...restorationsTable(schema),
    ...refillTable(schema),
  ];
}

function eventTables(schema: string): string[] {
  return [
    ...chainFunctions(schema),
    headTable(schema),
    `CREATE TABLE "${schema}".events (
      therapist_id uuid NOT NULL,
      position bigint NOT NULL,
      aggregate text NOT NULL,
      stream_id uuid NOT NULL,
      version integer NOT NULL,
      type text NOT NULL,
      schema_version integer NOT NULL,
      data jsonb NOT NULL,
      metadata jsonb NOT NULL,
      recorded_at timestamp with time zone NOT NULL,
      previous jsonb,
      hash bytea NOT NULL,
      PRIMARY KEY (therapist_id, position),
      CONSTRAINT events_stream_key UNIQUE (therapist_id, stream_id, aggregate, version)
    )`,
    // The relay reads by `id`. The key begins with the practice, as a Postgres that is sharded by practice needs it.
    `CREATE TABLE "${schema}".outbox (
      id bigint GENERATED ALWAYS AS IDENTITY,
      therapist_id uuid NOT NULL,
      position bigint NOT NULL,
      PRIMARY KEY (therapist_id, position)
    )`,
    `CREATE INDEX outbox_id_idx ON "${schema}".outbox (id)`,
    ...['practice_head', 'events', 'outbox'].flatMap((table) =>
      ownPracticeOnly({ schema, role: schema }, table),
    ),
    `GRANT SELECT, INSERT, UPDATE ON "${schema}".practice_head TO "${schema}"`,
    `GRANT SELECT, INSERT ON "${schema}".events TO "${schema}"`,
    `GRANT INSERT ON "${schema}".outbox TO "${schema}"`,
    ...relayAccess(schema),
  ];
}

/**
 * `hash` is that of the event at the position; no bytes before the first one. `bytes` is the size of all events and replaced
 * versions. `erasures` grows with each erasure, so that processes know when the keys that they hold may have been destroyed.
 * `erase_at` is set while the practice is closed.
 */
const headTable = (schema: string): string => `CREATE TABLE "${schema}".practice_head (
      therapist_id uuid PRIMARY KEY,
      position bigint NOT NULL,
      hash bytea NOT NULL DEFAULT '\\x',
      bytes bigint NOT NULL DEFAULT 0,
      erase_at timestamp with time zone,
      erasures bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50)`;

/** The relay reads the log and the outbox of every practice, and deletes the rows that the bus has acknowledged. */
function relayAccess(schema: string): string[] {
  const relay = `"${schema}_relay"`;
  return [
    ...['practice_head', 'events', 'outbox'].map(
      (table) => `CREATE POLICY relay ON "${schema}".${table} TO ${relay} USING (true)`,
    ),
    `GRANT USAGE ON SCHEMA "${schema}" TO ${relay}, "${schema}"`,
    `GRANT SELECT ON "${schema}".practice_head, "${schema}".events TO ${relay}`,
    `GRANT SELECT, DELETE ON "${schema}".outbox TO ${relay}`,
  ];
}
