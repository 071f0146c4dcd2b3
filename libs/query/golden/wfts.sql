-- GET guest=wfts.tea
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND to_tsvector(t."guest") @@ websearch_to_tsquery($2) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING (websearch_to_tsquery($2)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 tea
-- $3 1000
-- $4 0

-- GET guest=not.wfts.tea
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (to_tsvector(t."guest") @@ websearch_to_tsquery($2)) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING (websearch_to_tsquery($2)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 tea
-- $3 1000
-- $4 0

-- GET guest=wfts(english).tea
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND to_tsvector($2::regconfig, t."guest") @@ websearch_to_tsquery($2::regconfig, $3) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r HAVING (websearch_to_tsquery($2::regconfig, $3)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 english
-- $3 tea
-- $4 1000
-- $5 0

-- GET guest=not.wfts(english).tea
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (to_tsvector($2::regconfig, t."guest") @@ websearch_to_tsquery($2::regconfig, $3)) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r HAVING (websearch_to_tsquery($2::regconfig, $3)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 english
-- $3 tea
-- $4 1000
-- $5 0

-- GET or=(guest.wfts.tea,paid.is.true)
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (to_tsvector(t."guest") @@ websearch_to_tsquery($2) OR t."paid" IS TRUE) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r HAVING (websearch_to_tsquery($2)) IS NOT NULL;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 tea
-- $3 1000
-- $4 0
