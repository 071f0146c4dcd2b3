import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { isReadableBy, isWritableBy, SYSTEM } from '@practice/log';
import type { Statement } from '@practice/log';
import { ACCESS_LOG, accessLogOf, isConfidential, rolesAllowed } from '@practice/resource';

/** Whether the service has confidential records. */
export const hasAccessLog = (service: string): boolean => resourcesOf(service).some(isConfidential);

const table = (service: string): string => `"${schemaOf(service)}".${ACCESS_LOG}`;

/** DDL of a service's access log; nothing for a service without confidential records. The role of requests can only add rows. */
export function accessLogTable(service: string): string[] {
  if (!hasAccessLog(service)) return [];
  const schema = schemaOf(service);
  return [
    `CREATE TABLE ${table(service)} (
      therapist_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamp with time zone NOT NULL,
      actor text NOT NULL,
      actor_id uuid NOT NULL,
      actor_name text,
      request_id text NOT NULL,
      resource text NOT NULL,
      method text NOT NULL,
      record_ids jsonb,
      count integer NOT NULL,
      address text,
      break_glass_id uuid,
      PRIMARY KEY (therapist_id, id)
    )`,
    `CREATE INDEX access_log_at_idx ON ${table(service)} (therapist_id, at)`,
    `CREATE INDEX access_log_break_glass_idx ON ${table(service)} (therapist_id, break_glass_id) WHERE break_glass_id IS NOT NULL`,
    `ALTER TABLE ${table(service)} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY select_own ON ${table(service)} FOR SELECT TO "${schema}"
      USING (${isReadableBy([...rolesAllowed(accessLogOf(service), 'read'), SYSTEM])})`,
    `CREATE POLICY insert_own ON ${table(service)} FOR INSERT TO "${schema}" WITH CHECK (${isWritableBy([SYSTEM])})`,
    `GRANT SELECT, INSERT ON ${table(service)} TO "${schema}"`,
  ];
}

/** A row to add. */
export interface AccessRow {
  readonly id: string;
  readonly therapist_id: string;
  readonly actor: 'user' | 'token';
  readonly actor_id: string;
  readonly actor_name: string | null;
  readonly request_id: string;
  readonly resource: string;
  readonly method: string;
  readonly record_ids: readonly string[] | null;
  readonly count: number;
  readonly address: string | null;
  readonly break_glass_id: string | null;
}

const COLUMNS =
  'therapist_id, id, actor, actor_id, actor_name, request_id, resource, method, record_ids, count, address, break_glass_id';

/** Adds rows of any practices that the transaction acts for. */
export const addAccesses = (service: string, rows: readonly AccessRow[]): Statement => ({
  text: `INSERT INTO ${table(service)} (${COLUMNS}, at)
SELECT ${COLUMNS}, clock_timestamp() FROM json_to_recordset($1::json) AS r(therapist_id uuid, id uuid, actor text, actor_id uuid, actor_name text, request_id text, resource text, method text, record_ids jsonb, count integer, address text, break_glass_id uuid)`,
  values: [JSON.stringify(rows)],
});
