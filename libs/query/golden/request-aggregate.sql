-- GET select=count()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=day,seats.sum(),first:start_time.min()&order=day.desc
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."day" AS "day", sum(t."seats") AS "sum", to_char(min(t."start_time"), 'HH24:MI') AS "first" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 DESC LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=day,guests:guest.countdistinct(),seats.sum()&order=guests.desc,sum&limit=3
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."day" AS "day", count(DISTINCT t."guest") AS "guests", sum(t."seats") AS "sum" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 2 DESC, 3, 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 3
-- $3 0

-- GET select=seats,seats.sum()&order=seats
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."seats" AS "seats", sum(t."seats") AS "sum" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=price::text,count()&order=price
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT CAST(t."price" AS text) AS "price", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1, t."price" ORDER BY t."price", 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=paid::text,price::int.avg()::text
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT CAST(t."paid" AS text) AS "paid", CAST(avg(CAST(t."price" AS integer)) AS text) AS "avg" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=rooms(name),count()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count", CAST((SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS jsonb) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=...rooms(name),seats.sum()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT sum(t."seats") AS "sum", (SELECT t1."name" AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "name" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=day,...rooms(name.min())
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."day" AS "day", min((SELECT t1."name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id")) AS "min" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=rooms(...visits(day)),count()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count", CAST((SELECT row_to_json(r.*) FROM (SELECT (SELECT coalesce(json_agg(r.spread), '[]') FROM (SELECT t2."day" AS spread FROM "house"."visits" AS t2 WHERE t2.therapist_id = $1 AND t2."room_id" = t1."id" ORDER BY t2."id" LIMIT $2 OFFSET $3) AS r) AS "day" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS jsonb) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1000
-- $5 0

-- GET select=id,count()&order=day,extras->a
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1, t."day", t."extras" ORDER BY t."day", (t."extras" -> $2::text), 1 LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 a
-- $3 1000
-- $4 0

-- GET select=x:id,count()&order=day
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "x", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1, t."day" ORDER BY t."day", 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,count()&guest=sim.x&order=_rank
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY (ARRAY(SELECT "house"."visits_like_guest"($2))) GROUP BY 1, t."guest" ORDER BY search_rank($3, t."guest"), 1 LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 x
-- $3 x
-- $4 1000
-- $5 0

-- GET select=...rooms(count())&rooms.order=name
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count((SELECT t1."id" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id")) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=start_time::time,first:start_time::text.min(),last:start_time.max()::time
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT to_char(t."start_time", 'HH24:MI') AS "start_time", min(CAST(to_char(t."start_time", 'HH24:MI') AS text)) AS "first", to_char(max(t."start_time"), 'HH24:MI') AS "last" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
