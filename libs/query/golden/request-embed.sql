-- GET select=id,rooms(name)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,room:room_id(*)&room.name=eq.Blue&order=room(name).desc
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT r._json::json FROM (SELECT t1._json FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND t1."name" = $2) AS r) AS "room" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY (SELECT t1."name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND t1."name" = $3) DESC, t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Blue
-- $3 Blue
-- $4 1000
-- $5 0

-- GET select=id,rooms()&or=(rooms.is.null,seats.gt.1)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (NOT EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") OR t."seats" > $2) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1
-- $3 1000
-- $4 0

-- GET select=id,...rooms(name)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT t1."name" AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "name" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,visits_room_id_fkey(name)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "visits_room_id_fkey" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,rooms!visits_room_id_fkey!inner(name)&rooms.or=(name.eq.Blue,name.is.null)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND (t1."name" = $3 OR t1."name" IS NULL)) AS r) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND (t1."name" = $2 OR t1."name" IS NULL)) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Blue
-- $3 Blue
-- $4 1000
-- $5 0

-- GET select=id,rooms!left!room_id(name,visits(id))&rooms.visits.order=day.desc&rooms.visits.offset=1
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t2."id" AS "id" FROM "house"."visits" AS t2 WHERE t2.therapist_id = $1 AND t2."room_id" = t1."id" ORDER BY t2."day" DESC, t2."id" LIMIT $2 OFFSET $3) AS r) AS "visits" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 1
-- $4 1000
-- $5 0

-- GET select=id,rooms()&rooms=not.is.null
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,...rooms(name,visits(count))
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT t1."name" AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "name", (SELECT (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT count(*) AS "count" FROM "house"."visits" AS t2 WHERE t2.therapist_id = $1 AND t2."room_id" = t1."id" LIMIT $2 OFFSET $3) AS r) AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "visits" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1000
-- $5 0

-- GET select=...rooms(room:name,count())&order=rooms(room)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT (SELECT t1."name" AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "room", count((SELECT t1."id" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id")) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=rooms(name),id,...rooms(room:name),day
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."day" AS "day", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms", (SELECT t1."name" AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "room" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,a:rooms(name),b:rooms(name)&a.offset=1&b.limit=0
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" LIMIT 0) AS r) AS "a", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" LIMIT 0) AS r) AS "b" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,rooms(visits(rooms()))&rooms.visits=not.is.null&rooms=is.null
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND EXISTS (SELECT 1 FROM "house"."visits" AS t2 WHERE t2.therapist_id = $1 AND t2."room_id" = t1."id")) ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=*,rooms!inner()&rooms.offset=1
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND false ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,rooms!inner(count())
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT count(*) AS "count" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND true ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,rooms()&rooms.name=match.x
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r HAVING ('' ~ $4) IS NOT NULL AND (EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE false AND t1."name" ~ $4)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 x

-- GET select=id,rooms()&rooms=is.null&rooms.limit=0
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT false ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=id,rooms(name)&order=rooms(name)&rooms.limit=0
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" LIMIT 0) AS r) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY (SELECT t1."name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" LIMIT 0), t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET rooms?select=name,visits!inner(id,rooms(name))&visits.seats=gt.1&visits.order=day&visits.limit=3, counted
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page, (CASE WHEN count(*) < $6 AND (count(*) > 0 OR $7 = 0) THEN $7 + count(*) ELSE (SELECT count(*) FROM "house"."rooms" AS t WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND t1."seats" > $2)) END)::int AS total FROM (SELECT t."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."id" AS "id", (SELECT row_to_json(r.*) FROM (SELECT t2."name" AS "name" FROM "house"."rooms" AS t2 WHERE t2.therapist_id = $1 AND t2."id" = t1."room_id") AS r) AS "rooms" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND t1."seats" > $3 ORDER BY t1."day", t1."id" LIMIT $4 OFFSET $5) AS r) AS "visits" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND t1."seats" > $2) ORDER BY t."id" LIMIT $6 OFFSET $7) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1
-- $3 1
-- $4 3
-- $5 0
-- $6 1000
-- $7 0

-- GET rooms?select=name,visits!inner(id)&visits.offset=8
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."id" AS "id" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" ORDER BY t1."id" LIMIT $3 OFFSET $4) AS r) AS "visits" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 AND ((SELECT count(*) FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id") > $2) ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 8
-- $3 1000
-- $4 8
-- $5 1000
-- $6 0

-- GET rooms?select=name,visits!inner(day,count())&visits.offset=2
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."day" AS "day", count(*) AS "count" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" GROUP BY 1 ORDER BY 1 LIMIT $3 OFFSET $4) AS r) AS "visits" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 AND ((SELECT count(DISTINCT ROW(t1."day")) FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id") > $2) ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2
-- $3 1000
-- $4 2
-- $5 1000
-- $6 0

-- GET rooms?select=name,visits(count)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT count(*) AS "count" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" LIMIT $2 OFFSET $3) AS r) AS "visits" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1000
-- $5 0

-- GET rooms?select=name,...visits(day)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS "name", (SELECT coalesce(json_agg(r.spread), '[]') FROM (SELECT t1."day" AS spread FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" ORDER BY t1."id" LIMIT $2 OFFSET $3) AS r) AS "day" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1000
-- $5 0

-- GET rooms?select=...visits(day),count()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count", CAST((SELECT coalesce(json_agg(r.spread), '[]') FROM (SELECT t1."day" AS spread FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" ORDER BY t1."id" LIMIT $2 OFFSET $3) AS r) AS jsonb) AS "day" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1000
-- $5 0

-- GET rooms?select=id(day)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."day" AS "day" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" ORDER BY t1."id" LIMIT $2 OFFSET $3) AS r) AS "id" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1000
-- $5 0

-- GET rooms?select=a:visits(day),b:visits(id)&b.seats=gt.1
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."day" AS "day" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" ORDER BY t1."id" LIMIT $2 OFFSET $3) AS r) AS "a", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."id" AS "id" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND t1."seats" > $4 ORDER BY t1."id" LIMIT $5 OFFSET $6) AS r) AS "b" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $7 OFFSET $8) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0
-- $4 1
-- $5 1000
-- $6 0
-- $7 1000
-- $8 0
