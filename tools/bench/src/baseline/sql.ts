// The SQL of the services, made by their own compiler, with another schema for writes. Only the statements that no service
// runs are written here: the join across services, one write by itself, and the plain statements of a server without a log.

import { catalog } from '@practice/contracts';
import { compileRead, compileTargets, parseRequest, planRead, planWrite } from '@practice/query';
import { CLIENT } from '../reads.js';
import type { Read } from '../reads.js';

/** Any id: values are parameters, so they do not change the text. */
export const ID = '018f0000-0000-7000-8000-00000000000a';

export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

const client = `(SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name", t1."phone" AS "phone" FROM "clients"."clients" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."client_id") AS r) AS "clients"`;

/** The statement of a read, as the service runs it. The clients of another service are joined, which no service may do itself. */
export function statementOf(practice: string, { url, headers = {} }: Read): Statement {
  const [resource = '', query = ''] = url.replace(CLIENT, '').split('?');
  const parsed = parseRequest({ method: 'GET', resource, query, headers, body: new Uint8Array() });
  const plan = planRead(parsed, { catalog, therapistId: practice, practiceRole: 'owner' });
  const { text, values } = compileRead(plan, practice);
  return {
    text: url.includes(CLIENT) ? text.replace('(SELECT row_to_json', (start) => `${client}, ${start}`) : text,
    values: values.map(String),
  };
}

const appointments = catalog.resources.get('appointments');
if (!appointments) throw new Error('the catalog has no appointments');
const definition = appointments.columns;
const names = Object.keys(definition).filter((name) => name !== 'therapist_id');
const columns = names.map((name) => `"${name}"`).join(', ');
const typed = names.map((name) => `"${name}" ${definition[name]?.kind.sqlType}`).join(', ');

/** The columns of an appointment in the order in which the service selects them, `version` first. */
export const selected: readonly string[] = ['version', ...Object.keys(definition)];

/** $1 practice. */
export const lockText = (schema: string): string =>
  `SELECT position FROM "${schema}".practice_head WHERE therapist_id = $1 FOR NO KEY UPDATE`;

/** The appointments of a day, which a booking looks at: $1 practice, $2 days. */
export const overlapsText = (schema: string): string =>
  `SELECT ${selected.map((name) => `"${name}"`).join(', ')} FROM "${schema}"."appointments" WHERE therapist_id = $1 AND "date" = ANY ($2::date[])`;

/** $1 practice, $2 id, $3 limit. */
export function targetText(schema: string): string {
  const parsed = parseRequest({
    method: 'PATCH',
    resource: 'appointments',
    query: `id=eq.${ID}`,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"status":"confirmed"}'),
  });
  const plan = planWrite(parsed, { catalog, therapistId: ID, practiceRole: 'owner' });
  if (plan.kind !== 'update') throw new Error('a PATCH is planned as an update');
  return compileTargets(plan).text.replaceAll('"scheduling"', `"${schema}"`);
}

/** $1 practice, $2 events (JSON), $3 the practice's position after them. The events are not chained. */
export const appendText = (schema: string): string => `WITH new AS (
  SELECT * FROM json_to_recordset($2::json) AS e(position bigint, aggregate text, stream_id uuid, version integer, type text, schema_version integer, data jsonb, metadata jsonb, previous jsonb, recorded_at timestamptz, begins boolean, endings text[])
), logged AS (
  INSERT INTO "${schema}".events (therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, previous, recorded_at, hash)
  SELECT $1::uuid, position, aggregate, stream_id,
    CASE WHEN begins IS NULL OR begins = (last.version IS NULL OR last.type = ANY (endings)) THEN new.version ELSE last.version END,
    new.type, schema_version, data, metadata, previous, recorded_at, ''::bytea
  FROM new LEFT JOIN LATERAL (
    SELECT e.type, e.version FROM "${schema}".events AS e
    WHERE begins IS NOT NULL AND e.therapist_id = $1::uuid AND e.stream_id = new.stream_id AND e.aggregate = new.aggregate
    ORDER BY e.version DESC LIMIT 1
  ) AS last ON true
), queued AS (
  INSERT INTO "${schema}".outbox (therapist_id, position) SELECT $1::uuid, position FROM new ORDER BY position
)
UPDATE "${schema}".practice_head SET position = $3::bigint WHERE therapist_id = $1::uuid`;

/** $1 practice, $2 records (JSON). */
export const upsertText = (
  schema: string,
): string => `INSERT INTO "${schema}"."appointments" (therapist_id, ${columns}, "version", "_json")
SELECT $1::uuid, ${columns}, "version", "_json" FROM json_to_recordset($2::json) AS r(${typed}, version integer, _json text)
ON CONFLICT (therapist_id, id) DO UPDATE SET ${[...columns.split(', ').slice(1), '"version"', '"_json"']
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`;

/** One plain row, as a server without a log would write it: $1 practice, then id, day, start, end, client, notes, now, JSON. */
export const insertText = (schema: string): string =>
  `INSERT INTO "${schema}"."appointments" (therapist_id, "id", "date", "start_time", "end_time", "status", "client_name", "notes", "allow_overlap", "is_exception", "seat", "created_at", "updated_at", "version", "_json")
VALUES ($1, $2, $3, $4, $5, 'scheduled', $6, $7, false, false, 0, $8, $8, 1, $9)`;

/** One plain row: $1 practice, $2 id, $3 status, $4 now, $5 JSON. */
export const updateText = (schema: string): string =>
  `UPDATE "${schema}"."appointments" SET "status" = $3, "updated_at" = $4, "version" = "version" + 1, "_json" = $5 WHERE therapist_id = $1 AND "id" = $2`;
