-- GET select=day,count(), counted
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page, (SELECT count(*) FROM "house"."visits" AS t WHERE t.therapist_id = $1)::int AS total FROM (SELECT t."day" AS "day", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id, counted
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page, (CASE WHEN count(*) < $2 AND (count(*) > 0 OR $3 = 0) THEN $3 + count(*) ELSE (SELECT count(*) FROM "house"."visits" AS t WHERE t.therapist_id = $1) END)::int AS total FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- HEAD select=id, counted
SELECT NULL AS body, count(*)::int AS page, (CASE WHEN count(*) < $2 AND (count(*) > 0 OR $3 = 0) THEN $3 + count(*) ELSE (SELECT count(*) FROM "house"."visits" AS t WHERE t.therapist_id = $1) END)::int AS total FROM (SELECT 1 FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- HEAD select=id,rooms(name)&rooms.name=eq.x
SELECT NULL AS body, count(*)::int AS page FROM (SELECT 1 FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r HAVING (EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE false AND t1."name" = $4)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 x

-- GET select=id, one object
SELECT coalesce(string_agg(row_to_json(r.*)::text, ','), '') AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id, nulls stripped
SELECT '[' || coalesce(string_agg(json_strip_nulls(row_to_json(r.*))::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,at:start_time, CSV
SELECT coalesce($2 || E'\n' || string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), E'\n'), E'\n') AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", to_char(t."start_time", 'HH24:MI') AS "at" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 id,at
-- $3 1000
-- $4 0

-- GET everything, nulls stripped
SELECT '[' || coalesce(string_agg(json_strip_nulls(r._json::json)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
