-- GET or=(day.eq.today,and(seats.gt.1,not.or(paid.is.true,guest.is.null)))
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."day" = $2 OR (t."seats" > $3 AND NOT (t."paid" IS TRUE OR t."guest" IS NULL))) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 today
-- $3 1
-- $4 1000
-- $5 0

-- GET extras->a->>0=eq.x
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."extras" -> $2::text ->> $3::integer) = $4 ORDER BY t."id" LIMIT $5 OFFSET $6) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 a
-- $3 0
-- $4 x
-- $5 1000
-- $6 0

-- GET extras->>a=in.(x,y)
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (t."extras" ->> $2::text) = ANY ($3::text[]) ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 a
-- $3 {"x","y"}
-- $4 1000
-- $5 0

-- GET guest->>a=like.x*
SELECT '[' || coalesce(string_agg(r._json, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t._json FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND (to_jsonb(t."guest") ->> $2::text) ~~ $3 ORDER BY t."id" LIMIT $4 OFFSET $5) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 a
-- $3 x%
-- $4 1000
-- $5 0
