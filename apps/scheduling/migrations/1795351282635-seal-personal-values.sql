CREATE TABLE "scheduling"."personal_keys" (
  "therapist_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "sealed_key" text NOT NULL,
  "created_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "personal_keys_pkey" PRIMARY KEY (therapist_id, client_id)
);

CREATE TABLE "scheduling"."personal_values" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  "aggregate" text NOT NULL,
  "data" jsonb,
  "previous" jsonb,
  CONSTRAINT "personal_values_pkey" PRIMARY KEY (therapist_id, "position")
);

ALTER TABLE "scheduling"."personal_keys" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."personal_values" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "scheduling"."personal_keys" AS PERMISSIVE FOR ALL TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "scheduling"."personal_keys" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

CREATE POLICY "own_practice" ON "scheduling"."personal_values" AS PERMISSIVE FOR ALL TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "permitted" ON "scheduling"."personal_values" AS RESTRICTIVE FOR INSERT TO scheduling WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "scheduling"."personal_values" AS RESTRICTIVE FOR SELECT TO scheduling USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "relay" ON "scheduling"."personal_values" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

GRANT INSERT, SELECT ON "scheduling"."personal_keys" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."personal_values" TO scheduling;

GRANT SELECT ON "scheduling"."personal_values" TO scheduling_relay;
