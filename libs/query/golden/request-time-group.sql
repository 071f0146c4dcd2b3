-- GET select=month:day.month(),price.sum()&order=month.desc&limit=12
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT date_trunc('month', (t."day")::timestamp)::date AS "month", sum(t."price") AS "sum" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 DESC LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 12
-- $3 0

-- GET select=created_at.hour(),count()
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT date_trunc('hour', t."created_at") AS "hour", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=week:created_at.week()::text,day.year(),count()&day=gte.2030-01-01&order=year,week
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT CAST(date_trunc('week', (t."created_at")::timestamp)::date AS text) AS "week", date_trunc('year', (t."day")::timestamp)::date AS "year", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 AND t."day" >= $2 GROUP BY 1, 2 ORDER BY 2, 1 LIMIT $3 OFFSET $4) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 2030-01-01
-- $3 1000
-- $4 0

-- GET select=guest,quarter:day.quarter()&order=quarter.desc
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."guest" AS "guest", date_trunc('quarter', (t."day")::timestamp)::date AS "quarter" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY date_trunc('quarter', (t."day")::timestamp)::date DESC, t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=day:day.month(),count()&order=day
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT date_trunc('month', (t."day")::timestamp)::date AS "day", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=day,day:day.month(),count()&order=day
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."day" AS "day", date_trunc('month', (t."day")::timestamp)::date AS "day", count(*) AS "count" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 1, 2 ORDER BY 1, 2 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=...rooms(opened:created_at.month()),seats.sum()&order=rooms(opened)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT sum(t."seats") AS "sum", (SELECT date_trunc('month', (t1."created_at")::timestamp)::date AS spread FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS "opened" FROM "house"."visits" AS t WHERE t.therapist_id = $1 GROUP BY 2 ORDER BY 2 LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=guest,rooms(opened:created_at.month())&order=rooms(opened)
SELECT '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' AS body, count(*)::int AS page FROM (SELECT t."guest" AS "guest", (SELECT row_to_json(r.*) FROM (SELECT date_trunc('month', (t1."created_at")::timestamp)::date AS "opened" FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id") AS r) AS "rooms" FROM "house"."visits" AS t WHERE t.therapist_id = $1 ORDER BY (SELECT date_trunc('month', (t1."created_at")::timestamp)::date FROM "house"."rooms" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."room_id"), t."id" LIMIT $2 OFFSET $3) AS r;
-- $1 018f0000-0000-7000-8000-00000000000a
-- $2 1000
-- $3 0

-- GET select=day.hour(),count()
-- 400 42804 column "day" is of type date: it has no hour()

-- GET select=guest.month(),count()
-- 400 42804 column "guest" is of type text: it has no month()

-- GET select=extras->>a.month(),count()
-- 400 42804 column "extras" is of type text: it has no month()

-- GET select=nothing.month(),count()
-- 400 42703 column visits.nothing does not exist

-- GET select=day.decade(),count()
-- 400 PGRST100 "failed to parse select parameter (day.decade(),count())" (line 1, column 5)

-- GET select=day::text.month(),count()
-- 400 PGRST100 a cast before month() is not possible

-- GET select=day.month(),count()&order=day
-- 400 42803 column "visits.day" must appear in the GROUP BY clause or be used in an aggregate function
