-- GET select=*
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,start_time,p:price::text
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", to_char(t."start_time", 'HH24:MI') AS "start_time", CAST(t."price" AS text) AS "p" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=start_time::text,paid::int
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT CAST(to_char(t."start_time", 'HH24:MI') AS text) AS "start_time", CAST(t."paid" AS integer) AS "paid" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=start_time::time,c:start_time::char,n:guest::name,guest::bytea,m:price::money
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT to_char(t."start_time", 'HH24:MI') AS "start_time", CAST(to_char(t."start_time", 'HH24:MI') AS character(1)) AS "c", CAST(t."guest" AS name) AS "n", CAST(t."guest" AS bytea) AS "guest", CAST(t."price" AS money) AS "m" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=*,s:seats
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."therapist_id" AS "therapist_id", t."day" AS "day", to_char(t."start_time", 'HH24:MI') AS "start_time", t."guest" AS "guest", t."seats" AS "seats", t."price" AS "price", t."paid" AS "paid", t."room_id" AS "room_id", t."extras" AS "extras", t."created_at" AS "created_at", t."updated_at" AS "updated_at", t."seats" AS "s" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=extras->a->>0,guest->>x
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT (t."extras" -> $2::text ->> $3::integer) AS "a", (to_jsonb(t."guest") ->> $4::text) AS "x" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 a
-- $3 0
-- $4 x
-- $5 1000
-- $6 0

-- GET select=id,version&version=gt.1&order=version.desc
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."version" AS "version" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."version" > $2 ORDER BY t."version" DESC, t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1
-- $3 1000
-- $4 0
