-- PATCH day=eq.2026-05-01: the rows it hits
SELECT t.version, t."id", t."therapist_id", t."day", t."start_time", t."guest", t."seats", t."price", t."paid", t."room_id", t."extras", t."place", t."created_at", t."updated_at" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."day" = $2 ORDER BY t."id" LIMIT $3;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-05-01
-- $3 1001

-- DELETE seats=gt.3&select=guest&order=guest.desc: the rows it hits
SELECT t.version, t."id", t."therapist_id", t."day", t."start_time", t."guest", t."seats", t."price", t."paid", t."room_id", t."extras", t."place", t."created_at", t."updated_at" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."seats" > $2 ORDER BY t."id" LIMIT $3;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 3
-- $3 1001

-- DELETE seats=gt.3&select=guest&order=guest.desc: the response
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."guest" AS "guest" FROM unnest($2::uuid[]) WITH ORDINALITY AS asked(id, ordinal) JOIN "house"."visits" AS t ON t."id" = asked.id WHERE t.therapist_id = $1 ORDER BY t."guest" DESC, asked.ordinal) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"id-1","id-2"}

-- POST: the response
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM unnest($2::uuid[]) WITH ORDINALITY AS asked(id, ordinal) JOIN "house"."visits" AS t ON t."id" = asked.id WHERE t.therapist_id = $1 ORDER BY asked.ordinal) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"id-1"}

-- POST select=seats,rooms(name): the response
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."seats" AS "seats", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms" FROM unnest($2::uuid[]) WITH ORDINALITY AS asked(id, ordinal) JOIN "house"."visits" AS t ON t."id" = asked.id WHERE t.therapist_id = $1 ORDER BY asked.ordinal) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"id-1"}

-- POST select=seats,rooms!inner()&rooms.name=eq.Blue: the response
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."seats" AS "seats" FROM unnest($2::uuid[]) WITH ORDINALITY AS asked(id, ordinal) JOIN "house"."visits" AS t ON t."id" = asked.id WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND t1."name" = $3) ORDER BY asked.ordinal) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"id-1","id-2"}
-- $3 Blue
