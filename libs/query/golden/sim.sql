-- GET guest=sim.Ann
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."id" = ANY (ARRAY(SELECT "house"."visits_like_guest"($2))) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Ann
-- $3 1000
-- $4 0

-- GET guest=not.sim.Ann
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND NOT (search_like($2, t."guest")) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Ann
-- $3 1000
-- $4 0

-- GET or=(guest.sim.Ann,paid.is.true)
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."id" = ANY (ARRAY(SELECT "house"."visits_like_guest"($2))) OR t."paid" IS TRUE) ORDER BY t."id" LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 Ann
-- $3 1000
-- $4 0
