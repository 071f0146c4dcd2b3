CREATE TABLE "identity"."personal_keys" (
  "therapist_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "sealed_key" text NOT NULL,
  "created_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "personal_keys_pkey" PRIMARY KEY (therapist_id, client_id)
);

CREATE TABLE "identity"."personal_values" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  "aggregate" text NOT NULL,
  "data" jsonb,
  "previous" jsonb,
  CONSTRAINT "personal_values_pkey" PRIMARY KEY (therapist_id, "position")
);

ALTER TABLE "identity"."personal_keys" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."personal_values" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "identity"."personal_keys" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "identity"."personal_keys" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."personal_values" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "permitted" ON "identity"."personal_values" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "identity"."personal_values" AS RESTRICTIVE FOR SELECT TO identity USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "relay" ON "identity"."personal_values" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

GRANT INSERT, SELECT ON "identity"."personal_keys" TO identity;

GRANT INSERT, SELECT ON "identity"."personal_values" TO identity;

GRANT SELECT ON "identity"."personal_values" TO identity_relay;
