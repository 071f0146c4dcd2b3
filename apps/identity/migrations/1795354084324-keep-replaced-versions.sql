CREATE TABLE "identity"."memberships_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "user_id" uuid,
  "email" text NOT NULL,
  "display_name" text,
  "role" text NOT NULL,
  "status" text NOT NULL,
  "invited_at" timestamp with time zone,
  "joined_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "memberships_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "identity"."practices_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "name" text NOT NULL,
  "email" text NOT NULL,
  "require_mfa" boolean NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "practices_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "identity"."security_events_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "kind" text NOT NULL,
  "user_id" uuid,
  "membership_id" uuid,
  "by_user_id" uuid,
  "session_id" uuid,
  "token_id" uuid,
  "address" text,
  "reason" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "security_events_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE INDEX memberships_versions_role_idx ON identity.memberships_versions USING btree (therapist_id, role);

CREATE INDEX memberships_versions_status_idx ON identity.memberships_versions USING btree (therapist_id, status);

CREATE INDEX security_events_versions_created_at_idx ON identity.security_events_versions USING btree (therapist_id, created_at);

CREATE INDEX security_events_versions_user_id_created_at_idx ON identity.security_events_versions USING btree (therapist_id, user_id, created_at);

ALTER TABLE "identity"."memberships_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."practices_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."security_events_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "insert_own" ON "identity"."memberships_versions" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "identity"."memberships_versions" AS PERMISSIVE FOR SELECT TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "insert_own" ON "identity"."practices_versions" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "identity"."practices_versions" AS PERMISSIVE FOR SELECT TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "insert_own" ON "identity"."security_events_versions" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "identity"."security_events_versions" AS PERMISSIVE FOR SELECT TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

GRANT INSERT, SELECT ON "identity"."memberships_versions" TO identity;

GRANT INSERT, SELECT ON "identity"."practices_versions" TO identity;

GRANT INSERT, SELECT ON "identity"."security_events_versions" TO identity;
