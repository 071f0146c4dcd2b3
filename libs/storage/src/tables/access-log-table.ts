import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { isReadableBy, isWritableBy, SYSTEM, type Statement } from '@practice/log';
import { ACCESS_LOG, accessLogOf, isConfidential, rolesAllowed, type LoggedAccess } from '@practice/resource';

/** Whether the service has confidential records. */
export const hasAccessLog = (service: string): boolean => resourcesOf(service).some(isConfidential);

const table = (service: string): string => `"${schemaOf(service)}".${ACCESS_LOG}`;

/** Policies of a service's access log, which follow from the definitions; none for a service without confidential records. */
export function accessLogPolicies(service: string): string[] {
  if (!hasAccessLog(service)) return [];
  const schema = schemaOf(service);
  return [
    `CREATE POLICY select_own ON ${table(service)} FOR SELECT TO "${schema}"
      USING (${isReadableBy([...rolesAllowed(accessLogOf(service), 'read'), SYSTEM])})`,
    `CREATE POLICY insert_own ON ${table(service)} FOR INSERT TO "${schema}" WITH CHECK (${isWritableBy([SYSTEM])})`,
  ];
}

/** A row to add. */
export interface AccessRow extends Omit<LoggedAccess, 'at' | 'actor' | 'record_ids'> {
  readonly actor: 'user' | 'token';
  readonly record_ids: readonly string[] | null;
}

const COLUMNS =
  'therapist_id, id, actor, actor_id, actor_name, request_id, resource, method, record_ids, count, address, break_glass_id';

/** Adds rows of any practices that the transaction acts for. */
export const addAccesses = (service: string, rows: readonly AccessRow[]): Statement => ({
  text: `INSERT INTO ${table(service)} (${COLUMNS}, at)
SELECT ${COLUMNS}, clock_timestamp() FROM json_to_recordset($1::json) AS r(therapist_id uuid, id uuid, actor text, actor_id uuid, actor_name text, request_id text, resource text, method text, record_ids jsonb, count integer, address text, break_glass_id uuid)`,
  values: [JSON.stringify(rows)],
});
