// The tables of a log, the same in every service's schema, with their grants. No role that serves requests can change or delete
// an event; only the owner of the schema could, and it serves no requests.

import { schemaOf } from '@practice/core';

/** The setting that holds the practice whose rows a connection may see. */
export const PRACTICE_SETTING = 'app.therapist_id';

/** The setting that holds the practices of a write transaction that several share, as an array literal. */
export const GROUP_SETTING = 'app.therapist_ids';

/** The practice of the connection; null, and so no row, if it is not set. `select` makes Postgres evaluate it once per statement. */
export const currentPractice = `(select nullif(current_setting('${PRACTICE_SETTING}', true), '')::uuid)`;

/**
 * DDL for a service's log.
 * @param service name of its schema and of its request role; `<service>_relay` is the role of its relay
 */
export function logTables(service: string): string[] {
  const schema = schemaOf(service);
  return [
    `CREATE TABLE "${schema}".practice_head (
      therapist_id uuid PRIMARY KEY,
      position bigint NOT NULL
    ) WITH (fillfactor = 50)`,
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
      PRIMARY KEY (therapist_id, position),
      CONSTRAINT events_stream_key UNIQUE (therapist_id, stream_id, aggregate, version)
    )`,
    `CREATE TABLE "${schema}".outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      therapist_id uuid NOT NULL,
      position bigint NOT NULL
    )`,
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
 * A row of the connection's practice, or of one of the group's. A connection has one of the settings. CASE keeps the comparison
 * a filter: with OR, Postgres would combine two index scans, whose rows have no order.
 */
const isOwn = `CASE WHEN therapist_id = ${currentPractice} THEN true
        ELSE therapist_id = ANY ((select nullif(current_setting('${GROUP_SETTING}', true), '')::uuid[])::uuid[]) END`;

/** Row-level security: the request role sees and writes only rows of the connection's practices. */
export function ownPracticeOnly({ schema, role }: { schema: string; role: string }, table: string): string[] {
  return [
    `ALTER TABLE "${schema}"."${table}" ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_practice ON "${schema}"."${table}" TO "${role}"
      USING (${isOwn}) WITH CHECK (${isOwn})`,
  ];
}

/** The relay reads the outbox of every practice and deletes the rows that the bus has acknowledged. */
function relayAccess(schema: string): string[] {
  const relay = `"${schema}_relay"`;
  return [
    ...['events', 'outbox'].map(
      (table) => `CREATE POLICY relay ON "${schema}".${table} TO ${relay} USING (true)`,
    ),
    `GRANT USAGE ON SCHEMA "${schema}" TO ${relay}, "${schema}"`,
    `GRANT SELECT ON "${schema}".events TO ${relay}`,
    `GRANT SELECT, DELETE ON "${schema}".outbox TO ${relay}`,
  ];
}
