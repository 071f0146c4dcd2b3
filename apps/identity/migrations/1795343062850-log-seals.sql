CREATE TABLE "identity"."log_seals" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "service" text NOT NULL,
  "until" timestamp with time zone NOT NULL,
  "practices" integer NOT NULL,
  "root" text NOT NULL,
  "seal" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "log_seals_pkey" PRIMARY KEY (therapist_id, id)
);

ALTER TABLE "identity"."log_seals" ENABLE ROW LEVEL SECURITY;

DROP POLICY "permitted" ON "identity"."events";

CREATE POLICY "permitted" ON "identity"."events" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN ((aggregate = 'membership'::text) AND (type = 'MembershipDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "identity"."events";

CREATE POLICY "readable" ON "identity"."events" AS RESTRICTIVE FOR SELECT TO identity USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "identity"."log_seals" AS PERMISSIVE FOR DELETE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "identity"."log_seals" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "identity"."log_seals" AS PERMISSIVE FOR SELECT TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "identity"."log_seals" AS PERMISSIVE FOR UPDATE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."log_seals" TO identity;
