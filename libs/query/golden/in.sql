-- GET seats=in.(1,2,"a,b")
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."seats" = ANY ($2::integer[]) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"1","2","a,b"}
-- $3 1000
-- $4 0

-- GET seats=not.in.(1,2,"a,b")
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (t."seats" = ANY ($2::integer[])) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"1","2","a,b"}
-- $3 1000
-- $4 0

-- GET seats=in.()
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."seats" = ANY ($2::integer[]) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {}
-- $3 1000
-- $4 0

-- GET seats=not.in.()
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (t."seats" = ANY ($2::integer[])) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {}
-- $3 1000
-- $4 0

-- GET or=(seats.in.(1,2,"a,b"),paid.is.true)
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."seats" = ANY ($2::integer[]) OR t."paid" IS TRUE) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {"1","2","a,b"}
-- $3 1000
-- $4 0
