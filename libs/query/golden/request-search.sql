-- GET guest=sim.Ann&select=guest,_rank,_snippet&order=_rank.desc
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."guest" AS "guest", search_rank($3, t."guest") AS "_rank", CASE WHEN search_like($4, t."guest") THEN search_snippet($4, t."guest") END AS "_snippet" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY (ARRAY(SELECT "house"."visits_like_guest"($2))) ORDER BY search_rank($5, t."guest") DESC, t."id" LIMIT $6 OFFSET $7) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Ann
-- $3 Ann
-- $4 Ann
-- $5 Ann
-- $6 1000
-- $7 0

-- GET or=(guest.sim.Ann,guest.fts(english).tea)&select=_rank,_snippet&order=_rank.desc
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT greatest(search_rank($5, t."guest"), ts_rank(to_tsvector($6::regconfig, t."guest"), to_tsquery($6::regconfig, $7))::float8) AS "_rank", coalesce(CASE WHEN search_like($8, t."guest") THEN search_snippet($8, t."guest") END, CASE WHEN to_tsvector($9::regconfig, t."guest") @@ to_tsquery($9::regconfig, $10) THEN ts_headline($9::regconfig, t."guest", to_tsquery($9::regconfig, $10), 'StartSel="", StopSel="", MinWords=10, MaxWords=25') END) AS "_snippet" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."id" = ANY (ARRAY(SELECT "house"."visits_like_guest"($2))) OR to_tsvector($3::regconfig, t."guest") @@ to_tsquery($3::regconfig, $4)) ORDER BY greatest(search_rank($11, t."guest"), ts_rank(to_tsvector($12::regconfig, t."guest"), to_tsquery($12::regconfig, $13))::float8) DESC, t."id" LIMIT $14 OFFSET $15) AS r HAVING (to_tsquery($3::regconfig, $4)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Ann
-- $3 english
-- $4 tea
-- $5 Ann
-- $6 english
-- $7 tea
-- $8 Ann
-- $9 english
-- $10 tea
-- $11 Ann
-- $12 english
-- $13 tea
-- $14 1000
-- $15 0

-- GET not.or=(guest.sim.Ann,paid.is.true)
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (search_like($2, t."guest") OR t."paid" IS TRUE) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Ann
-- $3 1000
-- $4 0

-- GET guest=sim.Ann&as_of=2026-05-01T00:00:00Z
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."id" AS "id", t."therapist_id" AS "therapist_id", t."day" AS "day", to_char(t."start_time", 'HH24:MI') AS "start_time", t."guest" AS "guest", t."seats" AS "seats", t."price" AS "price", t."paid" AS "paid", t."room_id" AS "room_id", t."extras" AS "extras", t."created_at" AS "created_at", t."updated_at" AS "updated_at" FROM (SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits" WHERE updated_at <= $2::timestamptz UNION ALL SELECT "id", "therapist_id", "day", "start_time", "guest", "seats", "price", "paid", "room_id", "extras", "created_at", "updated_at", version FROM "house"."visits_versions" WHERE updated_at <= $2::timestamptz AND replaced_at > $2::timestamptz) AS t WHERE t.therapist_id = $1 AND search_like($3, t."guest") ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2026-05-01T00:00:00+00:00
-- $3 Ann
-- $4 1000
-- $5 0

-- GET select=_rank
-- 400 42703 column visits._rank does not exist

-- GET guest=not.sim.Ann&order=_rank
-- 400 42703 column visits._rank does not exist
