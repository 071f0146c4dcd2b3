-- free_rooms
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."name" AS "name", t."seats" AS "seats", to_char(t."opens", 'HH24:MI') AS "opens", t."price" AS "price", t."since" AS "since", t."extras" AS "extras", t."shared" AS "shared" FROM json_to_recordset($1::json) AS t("id" uuid, "name" text, "seats" integer, "opens" time without time zone, "price" numeric(10,2), "since" timestamp with time zone, "extras" jsonb, "shared" boolean) WHERE true LIMIT $2 OFFSET $3) AS r;
-- $1 []
-- $2 1000
-- $3 0

-- free_rooms select=name,opens&seats=gt.1&order=price.desc, counted
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page, (CASE WHEN count(*) < $3 AND (count(*) > 0 OR $4 = 0) THEN $4 + count(*) ELSE (SELECT count(*) FROM json_to_recordset($1::json) AS t("id" uuid, "name" text, "seats" integer, "opens" time without time zone, "price" numeric(10,2), "since" timestamp with time zone, "extras" jsonb, "shared" boolean) WHERE true AND t."seats" > $2) END)::int AS total FROM (SELECT t."name" AS "name", to_char(t."opens", 'HH24:MI') AS "opens" FROM json_to_recordset($1::json) AS t("id" uuid, "name" text, "seats" integer, "opens" time without time zone, "price" numeric(10,2), "since" timestamp with time zone, "extras" jsonb, "shared" boolean) WHERE true AND t."seats" > $2 ORDER BY t."price" DESC LIMIT $3 OFFSET $4) AS r;
-- $1 []
-- $2 1
-- $3 1000
-- $4 0

-- free_rooms as CSV
SELECT coalesce($2 || E'\n' || string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), E'\n'), E'\n') AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."name" AS "name", t."seats" AS "seats", to_char(t."opens", 'HH24:MI') AS "opens", t."price" AS "price", t."since" AS "since", t."extras" AS "extras", t."shared" AS "shared" FROM json_to_recordset($1::json) AS t("id" uuid, "name" text, "seats" integer, "opens" time without time zone, "price" numeric(10,2), "since" timestamp with time zone, "extras" jsonb, "shared" boolean) WHERE true LIMIT $3 OFFSET $4) AS r;
-- $1 []
-- $2 id,name,seats,opens,price,since,extras,shared
-- $3 1000
-- $4 0

-- HEAD free_rooms
SELECT NULL AS body, count(*)::int AS page FROM (SELECT 1 FROM json_to_recordset($1::json) AS t("id" uuid, "name" text, "seats" integer, "opens" time without time zone, "price" numeric(10,2), "since" timestamp with time zone, "extras" jsonb, "shared" boolean) WHERE true LIMIT $2 OFFSET $3) AS r;
-- $1 []
-- $2 1000
-- $3 0

-- free_rooms select=shared,count()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."shared" AS "shared", count(*) AS "count" FROM json_to_recordset($1::json) AS t("id" uuid, "name" text, "seats" integer, "opens" time without time zone, "price" numeric(10,2), "since" timestamp with time zone, "extras" jsonb, "shared" boolean) WHERE true GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 []
-- $2 1000
-- $3 0

-- rename_room
SELECT coalesce(string_agg(row_to_json(r.*)::text, ','), '') AS body, count(*)::int AS page FROM (SELECT t."name" AS "name" FROM json_to_recordset($1::json) AS t("name" text) WHERE true LIMIT $2 OFFSET $3) AS r;
-- $1 []
-- $2 1000
-- $3 0
