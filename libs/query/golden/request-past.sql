-- GET as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."therapist_id" AS "therapist_id", t."day" AS "day", to_char(t."start_time", 'HH24:MI') AS "start_time", t."guest" AS "guest", t."seats" AS "seats", t."price" AS "price", t."paid" AS "paid", t."room_id" AS "room_id", t."extras" AS "extras", t."created_at" AS "created_at", t."updated_at" AS "updated_at" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 1000
-- $4 0

-- GET id=eq.018f0000-0000-7000-8000-00000000000a&as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page, (SELECT max(t."version") FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 AND t."id" = $3) AS version FROM (SELECT t."id" AS "id", t."therapist_id" AS "therapist_id", t."day" AS "day", to_char(t."start_time", 'HH24:MI') AS "start_time", t."guest" AS "guest", t."seats" AS "seats", t."price" AS "price", t."paid" AS "paid", t."room_id" AS "room_id", t."extras" AS "extras", t."created_at" AS "created_at", t."updated_at" AS "updated_at" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 AND t."id" = $3 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 018f0000-0000-7000-8000-00000000000a
-- $4 1000
-- $5 0

-- GET day=eq.2026-05-01&order=start_time&select=guest,rooms(name)&as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."guest" AS "guest", (SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name" FROM (SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 AND t."day" = $3 ORDER BY t."start_time", t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 2026-05-01
-- $4 1000
-- $5 0

-- GET select=id,rooms!inner()&rooms.name=eq.Blue&as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 AND EXISTS (SELECT 1 FROM (SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id" AND t1."name" = $3) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r HAVING (EXISTS (SELECT 1 FROM (SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t1 WHERE false AND t1."name" = $6)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 Blue
-- $4 1000
-- $5 0
-- $6 Blue

-- GET select=id,visits_history(version,after)&as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT t1."version" AS "version", t1."after" AS "after" FROM (SELECT e.stream_id AS "id", e.therapist_id AS "therapist_id", e.version AS "version", e.position AS "position", e.metadata ->> 'changeId' AS "change_id", e.type AS "event", e.recorded_at AS "at", e.metadata #>> '{actor,kind}' AS "actor", (e.metadata #>> '{actor,id}')::uuid AS "actor_id", e.metadata #>> '{actor,name}' AS "actor_name", e.metadata ->> 'oauthClientId' AS "oauth_client_id", e.metadata ->> 'reason' AS "reason", e.metadata ->> 'requestId' AS "request_id", e.metadata ->> 'causedBy' AS "caused_by", (e.previous - '{place,updated_at}'::text[]) || CASE WHEN e.previous ? 'price' THEN jsonb_build_object('price', (e.previous ->> 'price')::numeric) ELSE '{}' END AS "before", CASE WHEN e.type NOT IN ('VisitRemoved') THEN (e.data - '{place,updated_at}'::text[]) || CASE WHEN e.data ? 'price' THEN jsonb_build_object('price', (e.data ->> 'price')::numeric) ELSE '{}' END END AS "after", false AS "erased", e.metadata ->> 'undoes' AS "undoes" FROM "house".events AS e WHERE e.aggregate = 'visit' AND e.recorded_at <= $2::timestamptz) AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."id" ORDER BY t1."id", t1."version" LIMIT $3 OFFSET $4) AS r) AS "visits_history" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 1000
-- $4 0
-- $5 1000
-- $6 0

-- GET visits?as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page, (CASE WHEN count(*) < $3 AND (count(*) > 0 OR $4 = 0) THEN $4 + count(*) ELSE (SELECT count(*) FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1) END)::int AS total FROM (SELECT t."id" AS "id", t."therapist_id" AS "therapist_id", t."day" AS "day", to_char(t."start_time", 'HH24:MI') AS "start_time", t."guest" AS "guest", t."seats" AS "seats", t."price" AS "price", t."paid" AS "paid", t."room_id" AS "room_id", t."extras" AS "extras", t."created_at" AS "created_at", t."updated_at" AS "updated_at" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 1000
-- $4 0

-- GET rooms?select=id,visits(day.max())&as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", (SELECT ('[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']')::json FROM (SELECT max(t1."day") AS "max" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t1 WHERE t1.therapist_id = $1 AND t1."room_id" = t."id" LIMIT $3 OFFSET $4) AS r) AS "visits" FROM (SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "name", "created_at", "updated_at", version FROM "house"."rooms_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 1000
-- $4 0
-- $5 1000
-- $6 0

-- GET entries_history?select=at&as_of=2026-11-01T09:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."at" AS "at" FROM (SELECT e.stream_id AS "id", e.therapist_id AS "therapist_id", e.version AS "version", e.position AS "position", e.metadata ->> 'changeId' AS "change_id", e.type AS "event", e.recorded_at AS "at", e.metadata #>> '{actor,kind}' AS "actor", (e.metadata #>> '{actor,id}')::uuid AS "actor_id", e.metadata #>> '{actor,name}' AS "actor_name", e.metadata ->> 'oauthClientId' AS "oauth_client_id", e.metadata ->> 'reason' AS "reason", e.metadata ->> 'requestId' AS "request_id", e.metadata ->> 'causedBy' AS "caused_by", (e.previous - '{updated_at}'::text[]) AS "before", CASE WHEN e.type NOT IN ('EntryWithdrawn') THEN (e.data - '{updated_at}'::text[]) END AS "after", false AS "erased", e.metadata ->> 'undoes' AS "undoes" FROM "desk".events AS e WHERE e.aggregate = 'entry' AND e.recorded_at <= $2::timestamptz) AS t WHERE t.therapist_id = $1 ORDER BY t."id", t."version" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-11-01T09:00:00+00:00
-- $3 1000
-- $4 0
