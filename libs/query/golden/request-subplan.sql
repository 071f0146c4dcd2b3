-- GET entries?select=content,visits(day,rooms(name))
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT t."id" AS key, t."day" AS c1, (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY ($2::uuid[]) LIMIT $3) AS r, LATERAL (SELECT r.c1 AS "day", r.c2 AS "rooms") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS c1, t."visit_id" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET visits?select=*,entries(content)&entries.content=like.a*&entries.order=content&entries.limit=2
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."content" AS c1 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" = wanted.key AND t."content" ~~ $5 ORDER BY t."content", t."id" LIMIT $3 OFFSET $4) AS p LIMIT $6) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 2
-- $4 0
-- $5 a%
-- $6 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.c1, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."_json" AS c1, t."id" AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET rooms?select=name,visits(day,entries(count))&visits.seats=gt.1
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."day" AS c1, t."id" AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."room_id" = wanted.key AND t."seats" > $5 ORDER BY t."id" LIMIT $3 OFFSET $4) AS p LIMIT $6) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 0
-- $5 1
-- $6 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT count(*) AS c1 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" = wanted.key LIMIT $3 OFFSET $4) AS p LIMIT $5) AS r, LATERAL (SELECT r.c1 AS "count") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 0
-- $5 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS c1, t."id" AS c2 FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r, LATERAL (SELECT r.c1 AS "name") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET entries?select=content,visits!inner(day)&visits.seats=gt.1
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."id" AS key FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND t."seats" > $3 LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 1
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT t."id" AS key, t."day" AS c1 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY ($2::uuid[]) AND t."seats" > $3 LIMIT $4) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1
-- $4 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS c1, t."visit_id" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND (t."visit_id" IS NOT NULL AND t."visit_id" = ANY ($2::uuid[])) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1}
-- $3 1000
-- $4 0

-- GET entries?select=content,visits()&or=(visits.is.null,content.eq.x)
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."id" AS key FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS "content" FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND (NOT (t."visit_id" IS NOT NULL AND t."visit_id" = ANY ($2::uuid[])) OR t."content" = $3) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1}
-- $3 x
-- $4 1000
-- $5 0

-- GET entries?select=content,visits(day)&order=visits(day).desc,visits(guest),content
SELECT json_build_object('matching', NULL, 'values', NULL, 'ranks', ARRAY[(SELECT json_build_object('field', $3::text, 'keys', translate(encode(coalesce(string_agg(uuid_send(p.key), ''::bytea), ''::bytea), 'base64'), E'\n', ''), 'positions', translate(encode(coalesce(string_agg(int4send(p.position), ''::bytea), ''::bytea), 'base64'), E'\n', '')) FROM (SELECT t."id" AS key, dense_rank() OVER (ORDER BY t."day")::integer AS position FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND t."day" IS NOT NULL LIMIT $2) AS p), (SELECT json_build_object('field', $4::text, 'keys', translate(encode(coalesce(string_agg(uuid_send(p.key), ''::bytea), ''::bytea), 'base64'), E'\n', ''), 'positions', translate(encode(coalesce(string_agg(int4send(p.position), ''::bytea), ''::bytea), 'base64'), E'\n', '')) FROM (SELECT t."id" AS key, dense_rank() OVER (ORDER BY t."guest")::integer AS position FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND t."guest" IS NOT NULL LIMIT $2) AS p)]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 day
-- $4 guest
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT t."id" AS key, t."day" AS c1 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY ($2::uuid[]) LIMIT $3) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS c1, t."visit_id" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 ORDER BY ($2::jsonb ->> t."visit_id"::text)::integer DESC, ($3::jsonb ->> t."visit_id"::text)::integer, t."content", t."id" LIMIT $4 OFFSET $5) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"018f0000-0000-7000-8000-0000000000c1":1}
-- $3 {"018f0000-0000-7000-8000-0000000000c1":1}
-- $4 1000
-- $5 0

-- GET entries?select=content,...visits(day,...rooms(name))
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT t."id" AS key, t."day" AS c1, (SELECT t1."name" AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY ($2::uuid[]) LIMIT $3) AS r, LATERAL (SELECT r.c1 AS "day", r.c2 AS "name") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS c1, t."visit_id" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET visits?select=day,...entries(content,created_at)
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, coalesce(to_json(r.c1)::text, 'null'), coalesce(to_json(r.c2)::text, 'null')]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."content" AS c1, t."created_at" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" = wanted.key ORDER BY t."id" LIMIT $3 OFFSET $4) AS p LIMIT $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 0
-- $5 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."day" AS c1, t."id" AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET rooms?select=name,visits!inner(id,entries!inner())&visits.entries.content=eq.x
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."visit_id" AS key FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" IS NOT NULL AND t."content" = $3 LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 x
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."id" AS "id" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND (t1."id" IS NOT NULL AND t1."id" = ANY ($3::uuid[])) ORDER BY t1."id" LIMIT $4 OFFSET $5) AS r) AS "visits" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND (t1."id" IS NOT NULL AND t1."id" = ANY ($2::uuid[]))) ORDER BY t."id" LIMIT $6 OFFSET $7) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1}
-- $3 {018f00000000700080000000000000c1}
-- $4 1000
-- $5 0
-- $6 1000
-- $7 0

-- GET rooms?select=name,visits(day,e:entries())&visits.e=not.is.null&visits.limit=1
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."visit_id" AS key FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" IS NOT NULL LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS "name", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."day" AS "day" FROM "house"."visits" AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" AND (t1."id" IS NOT NULL AND t1."id" = ANY ($2::uuid[])) ORDER BY t1."id" LIMIT $3 OFFSET $4) AS r) AS "visits" FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1}
-- $3 1
-- $4 0
-- $5 1000
-- $6 0

-- GET entries?select=content,visits!inner(day,entries!inner(content))&visits.entries.content=eq.x
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."id" AS key FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND (t."id" IS NOT NULL AND t."id" = ANY ($3::uuid[])) LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 {018f00000000700080000000000000c1}
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."visit_id" AS key FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" IS NOT NULL AND t."content" = $3 LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 x
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT t."id" AS key, t."day" AS c1, t."id" AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY ($2::uuid[]) AND (t."id" IS NOT NULL AND t."id" = ANY ($3::uuid[])) LIMIT $4) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 {018f00000000700080000000000000c1}
-- $4 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."content" AS c1 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" = wanted.key AND t."content" = $5 ORDER BY t."id" LIMIT $3 OFFSET $4) AS p LIMIT $6) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 0
-- $5 x
-- $6 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS c1, t."visit_id" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND (t."visit_id" IS NOT NULL AND t."visit_id" = ANY ($2::uuid[])) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1}
-- $3 1000
-- $4 0

-- GET rooms?select=name,visits(day,entries!inner(content))&visits.entries.offset=2
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT t."visit_id" AS key FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" IS NOT NULL GROUP BY 1 HAVING count(*) > $3 LIMIT $2) AS m), 'values', NULL, 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 2
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."day" AS c1, t."id" AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."room_id" = wanted.key AND (t."id" IS NOT NULL AND t."id" = ANY ($5::uuid[])) ORDER BY t."id" LIMIT $3 OFFSET $4) AS p LIMIT $6) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 0
-- $5 {018f00000000700080000000000000c1}
-- $6 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."content" AS c1 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" = wanted.key ORDER BY t."id" LIMIT $3 OFFSET $4) AS p LIMIT $5) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 2
-- $5 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."name" AS c1, t."id" AS c2 FROM "house"."rooms" AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $2 OFFSET $3) AS r, LATERAL (SELECT r.c1 AS "name") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET entries?select=content,visits!inner(day)&visits.offset=1&order=visits(day)
SELECT json_build_object('matching', NULL, 'values', NULL, 'ranks', ARRAY[(SELECT json_build_object('field', $3::text, 'keys', translate(encode(coalesce(string_agg(uuid_send(p.key), ''::bytea), ''::bytea), 'base64'), E'\n', ''), 'positions', translate(encode(coalesce(string_agg(int4send(p.position), ''::bytea), ''::bytea), 'base64'), E'\n', '')) FROM (SELECT t."id" AS key, dense_rank() OVER (ORDER BY t."day")::integer AS position FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND false AND t."day" IS NOT NULL LIMIT $2) AS p)]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 day
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT t."day" AS c1 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = wanted.key LIMIT 0) AS p LIMIT $3) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."content" AS c1, t."visit_id" AS c2 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND false ORDER BY ($2::jsonb ->> t."visit_id"::text)::integer, t."id" LIMIT $3 OFFSET $4) AS r, LATERAL (SELECT r.c1 AS "content") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"018f0000-0000-7000-8000-0000000000c1":1}
-- $3 1000
-- $4 0

-- GET visits?select=day,entries!inner(count())
SELECT '[' || coalesce(string_agg(to_json(ARRAY[r.key::text, row_to_json(s1.*)::text]::text[])::text, ','), '') || ']' AS body FROM (SELECT wanted.key, p.* FROM unnest($2::uuid[]) AS wanted(key), LATERAL (SELECT count(*) AS c1 FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."visit_id" = wanted.key LIMIT $3 OFFSET $4) AS p LIMIT $5) AS r, LATERAL (SELECT r.c1 AS "count") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {018f00000000700080000000000000c1,NULL}
-- $3 1000
-- $4 0
-- $5 50001
SELECT '[' || coalesce(string_agg(to_json(ARRAY[row_to_json(s1.*)::text, r.c2::text]::text[])::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."day" AS c1, t."id" AS c2 FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND true ORDER BY t."id" LIMIT $2 OFFSET $3) AS r, LATERAL (SELECT r.c1 AS "day") AS s1;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET entries?select=count(),...visits!inner(day)&visits.guest=eq.{}&content=eq.{}
SELECT json_build_object('matching', (SELECT translate(encode(coalesce(string_agg(uuid_send(m.key), ''::bytea), ''::bytea), 'base64'), E'\n', '') FROM (SELECT DISTINCT t."id" AS key FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND t."guest" = $3 LIMIT $2) AS m), 'values', (SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (SELECT t."id" AS key, json_object(ARRAY[$5]::text[], ARRAY[t."day"::text]::text[]) AS fields FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND t."guest" = $4 LIMIT $2) AS v), 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 {}
-- $4 {}
-- $5 day
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count", ($4::jsonb -> t."visit_id"::text ->> $5::text)::date AS "day" FROM "desk"."entries" AS t WHERE t.therapist_id = $1 AND t."content" = $2 AND (t."visit_id" IS NOT NULL AND t."visit_id" = ANY ($3::uuid[])) GROUP BY 2 ORDER BY 2 LIMIT $6 OFFSET $7) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {}
-- $3 {018f00000000700080000000000000c1}
-- $4 {"018f00000000700080000000000000c1":{}}
-- $5 day
-- $6 1000
-- $7 0

-- GET entries?select=...visits(count())&visits.order=day
SELECT json_build_object('matching', NULL, 'values', (SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (SELECT t."id" AS key, json_object(ARRAY[$3]::text[], ARRAY[t."id"::text]::text[]) AS fields FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL LIMIT $2) AS v), 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 id
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(($2::jsonb -> t."visit_id"::text ->> $3::text)::uuid) AS "count" FROM "desk"."entries" AS t WHERE t.therapist_id = $1 LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"018f00000000700080000000000000c1":{}}
-- $3 id
-- $4 1000
-- $5 0

-- GET entries?select=...visits(day,seats.sum()),count()&visits.seats=gt.1
SELECT json_build_object('matching', NULL, 'values', (SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (SELECT t."id" AS key, json_object(ARRAY[$4, $5]::text[], ARRAY[t."day"::text, t."seats"::text]::text[]) AS fields FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL AND t."seats" > $3 LIMIT $2) AS v), 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 1
-- $4 day
-- $5 seats
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count", ($2::jsonb -> t."visit_id"::text ->> $3::text)::date AS "day", sum(($2::jsonb -> t."visit_id"::text ->> $4::text)::integer) AS "sum" FROM "desk"."entries" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"018f00000000700080000000000000c1":{}}
-- $3 day
-- $4 seats
-- $5 1000
-- $6 0

-- GET entries?select=visits(day,at:start_time),count()
SELECT json_build_object('matching', NULL, 'values', (SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (SELECT t."id" AS key, json_object(ARRAY[$3, $4]::text[], ARRAY[t."day"::text, t."start_time"::text]::text[]) AS fields FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL LIMIT $2) AS v), 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 day
-- $4 start_time
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT count(*) AS "count", CAST((SELECT row_to_json(s.*) FROM (SELECT ($2::jsonb -> t."visit_id"::text ->> $3::text)::date AS "day", to_char(($2::jsonb -> t."visit_id"::text ->> $4::text)::time without time zone, 'HH24:MI') AS "at") AS s WHERE $2::jsonb ? t."visit_id"::text) AS jsonb) AS "visits" FROM "desk"."entries" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"018f00000000700080000000000000c1":{}}
-- $3 day
-- $4 start_time
-- $5 1000
-- $6 0

-- GET entries?select=...visits(day,rooms(name),n:count(),...rooms(name.max()))&order=visits(day)
SELECT json_build_object('matching', NULL, 'values', (SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (SELECT t."id" AS key, json_object(ARRAY[$3, $4, $5, $6, $7]::text[], ARRAY[t."day"::text, t."id"::text, (SELECT t1."id" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id")::text, (SELECT t1."name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id")::text, (SELECT t1."name" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id")::text]::text[]) AS fields FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" IS NOT NULL LIMIT $2) AS v), 'ranks', ARRAY[]::json[])::text AS body;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 50001
-- $3 day
-- $4 id
-- $5 0.id
-- $6 0.name
-- $7 1.name
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT ($2::jsonb -> t."visit_id"::text ->> $3::text)::date AS "day", count(($2::jsonb -> t."visit_id"::text ->> $4::text)::uuid) AS "n", CAST((SELECT row_to_json(s.*) FROM (SELECT ($2::jsonb -> t."visit_id"::text ->> $5::text)::text AS "name") AS s WHERE ($2::jsonb -> t."visit_id"::text ->> $6::text)::uuid IS NOT NULL) AS jsonb) AS "rooms", max(($2::jsonb -> t."visit_id"::text ->> $7::text)::text) AS "max" FROM "desk"."entries" AS t WHERE t.therapist_id = $1 GROUP BY 1, 3 ORDER BY 1, 3 LIMIT $8 OFFSET $9) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"018f00000000700080000000000000c1":{}}
-- $3 day
-- $4 id
-- $5 0.name
-- $6 0.id
-- $7 1.name
-- $8 1000
-- $9 0
