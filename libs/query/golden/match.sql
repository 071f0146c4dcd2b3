-- GET guest=match.^A
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."guest" ~ $2 ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING ('' ~ $2) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 ^A
-- $3 1000
-- $4 0

-- GET guest=not.match.^A
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (t."guest" ~ $2) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING ('' ~ $2) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 ^A
-- $3 1000
-- $4 0

-- GET guest=match(any).{1,2}
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."guest" ~ ANY ($2::text[]) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING ((SELECT count('' ~ pattern) FROM unnest($2::text[]) AS pattern)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {1,2}
-- $3 1000
-- $4 0

-- GET guest=match(all).{1,2}
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."guest" ~ ALL ($2::text[]) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING ((SELECT count('' ~ pattern) FROM unnest($2::text[]) AS pattern)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 {1,2}
-- $3 1000
-- $4 0

-- GET or=(guest.match.^A,paid.is.true)
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."guest" ~ $2 OR t."paid" IS TRUE) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING ('' ~ $2) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 ^A
-- $3 1000
-- $4 0
