// The statements that the services run, word for word (a spec compares them), with another schema for writes.

const columns =
  '"id", "date", "start_time", "end_time", "status", "client_id", "client_name", "service_id", "notes", "allow_overlap", "seat", "created_at", "updated_at"';

/** The columns of an appointment in the order in which the service selects them, `version` first. */
export const selected = [
  ...[
    'version',
    'id',
    'therapist_id',
    'date',
    'start_time',
    'end_time',
    'status',
    'client_id',
    'client_name',
  ],
  ...['service_id', 'notes', 'allow_overlap', 'seat', 'created_at', 'updated_at'],
] as const;

const page = (rows: string): string =>
  `SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (${rows}) AS r`;

/** $1 practice, $2 date, $3 limit, $4 offset. */
export const dayText = (schema: string): string =>
  page(
    `SELECT t._json FROM "${schema}"."appointments" AS t WHERE t.therapist_id = $1 AND t."date" = $2 ORDER BY t."start_time", t."id" LIMIT $3 OFFSET $4`,
  );

/** $1 practice, $2 statuses (array literal), $3 first day, $4 last day, $5 limit, $6 offset. */
export const listText = (schema: string): string =>
  page(
    `SELECT t._json FROM "${schema}"."appointments" AS t WHERE t.therapist_id = $1 AND t."status" = ANY ($2::text[]) AND t."date" >= $3 AND t."date" <= $4 ORDER BY t."date", t."start_time", t."id" LIMIT $5 OFFSET $6`,
  );

/** $1 practice, $2 pattern, $3 limit, $4 offset. */
export const searchText = page(
  `SELECT t._json FROM "clients"."clients" AS t WHERE t.therapist_id = $1 AND t."name" ~~* $2 ORDER BY t."name", t."id" LIMIT $3 OFFSET $4`,
);

/** $1 practice, $2 client, $3 limit, $4 offset. */
export const notesText = page(
  `SELECT t._json FROM "clinical_notes"."sessions" AS t WHERE t.therapist_id = $1 AND t."client_id" = $2 ORDER BY t."created_at" DESC, t."id" LIMIT $3 OFFSET $4`,
);

/** $1 practice, $2 limit, $3 offset. */
export const expensesText = page(
  `SELECT t._json FROM "finance"."expenses" AS t WHERE t.therapist_id = $1 ORDER BY t."date" DESC, t."id" LIMIT $2 OFFSET $3`,
);

const linked = (embeds: string): string =>
  `SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT to_char(t."start_time", 'HH24:MI') AS "start_time", to_char(t."end_time", 'HH24:MI') AS "end_time", t."status" AS "status", ${embeds} FROM "scheduling"."appointments" AS t WHERE t.therapist_id = $1 AND t."date" = $2 ORDER BY t."start_time", t."id" LIMIT $3 OFFSET $4) AS r`;

const service = `(SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name", t1."price" AS "price" FROM "scheduling"."service_menu" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."service_id") AS r) AS "service_menu"`;
const client = `(SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name", t1."phone" AS "phone" FROM "clients"."clients" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."client_id") AS r) AS "clients"`;

/** $1 practice, $2 date, $3 limit, $4 offset. */
export const withinText = linked(service);

/** As `withinText`, joined across services, which none of them may do itself. */
export const acrossText = linked(`${client}, ${service}`);

/** $1 practice, $2 limit, $3 offset. */
export const countText = `SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page, (CASE WHEN count(*) < $2 AND (count(*) > 0 OR $3 = 0) THEN $3 + count(*) ELSE (SELECT count(*) FROM "scheduling"."appointments" AS t WHERE t.therapist_id = $1) END)::int AS total FROM (SELECT t._json FROM "scheduling"."appointments" AS t WHERE t.therapist_id = $1 ORDER BY t."date", t."start_time", t."id" LIMIT $2 OFFSET $3) AS r`;

const expenseColumns = 'id,therapist_id,date,amount,category,description,vendor,created_at,updated_at'.split(
  ',',
);

/** The first line of the CSV. */
export const csvHeader = expenseColumns.join(',');

/** $1 practice, $2 header, $3 limit, $4 offset. */
export const csvText = `SELECT coalesce($2 || E'\\n' || string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), E'\\n'), E'\\n') AS body, count(*)::int AS page FROM (SELECT ${expenseColumns.map((name) => `t."${name}" AS "${name}"`).join(', ')} FROM "finance"."expenses" AS t WHERE t.therapist_id = $1 ORDER BY t."date" DESC, t."id" LIMIT $3 OFFSET $4) AS r`;

/** $1 practice. */
export const lockText = (schema: string): string =>
  `SELECT position FROM "${schema}".practice_head WHERE therapist_id = $1 FOR NO KEY UPDATE`;

/** The appointments of a day, which a booking looks at: $1 practice, $2 days. */
export const overlapsText = (schema: string): string =>
  `SELECT ${selected.map((name) => `"${name}"`).join(', ')} FROM "${schema}"."appointments" WHERE therapist_id = $1 AND "date" = ANY ($2::date[])`;

/** $1 practice, $2 id, $3 limit. */
export const targetText = (schema: string): string =>
  `SELECT t.version, ${selected
    .slice(1)
    .map((name) => `t."${name}"`)
    .join(
      ', ',
    )} FROM "${schema}"."appointments" AS t WHERE t.therapist_id = $1 AND t."id" = $2 ORDER BY t."id" LIMIT $3`;

/** $1 practice, $2 events (JSON), $3 the practice's position after them. */
export const appendText = (schema: string): string => `WITH new AS (
  SELECT * FROM json_to_recordset($2::json) AS e(position bigint, aggregate text, stream_id uuid, version integer, type text, schema_version integer, data jsonb, metadata jsonb, recorded_at timestamptz, begins boolean, endings text[])
), logged AS (
  INSERT INTO "${schema}".events (therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at)
  SELECT $1::uuid, position, aggregate, stream_id,
    CASE WHEN begins IS NULL OR begins = (last.version IS NULL OR last.type = ANY (endings)) THEN new.version ELSE last.version END,
    new.type, schema_version, data, metadata, recorded_at
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
SELECT $1::uuid, ${columns}, "version", "_json" FROM json_to_recordset($2::json) AS r("id" uuid, "date" date, "start_time" time without time zone, "end_time" time without time zone, "status" text, "client_id" uuid, "client_name" text, "service_id" uuid, "notes" text, "allow_overlap" boolean, "seat" integer, "created_at" timestamp with time zone, "updated_at" timestamp with time zone, version integer, _json text)
ON CONFLICT (therapist_id, id) DO UPDATE SET ${[...columns.split(', ').slice(1), '"version"', '"_json"']
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`;

/** One plain row, as a server without a log would write it: $1 practice, then id, day, start, end, client, notes, now, JSON. */
export const insertText = (schema: string): string =>
  `INSERT INTO "${schema}"."appointments" (therapist_id, "id", "date", "start_time", "end_time", "status", "client_name", "notes", "allow_overlap", "seat", "created_at", "updated_at", "version", "_json")
VALUES ($1, $2, $3, $4, $5, 'scheduled', $6, $7, false, 0, $8, $8, 1, $9)`;

/** One plain row: $1 practice, $2 id, $3 status, $4 now, $5 JSON. */
export const updateText = (schema: string): string =>
  `UPDATE "${schema}"."appointments" SET "status" = $3, "updated_at" = $4, "version" = "version" + 1, "_json" = $5 WHERE therapist_id = $1 AND "id" = $2`;
