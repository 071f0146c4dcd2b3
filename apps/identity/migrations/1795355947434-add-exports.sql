CREATE TABLE "identity"."archive_parts" (
  "therapist_id" uuid NOT NULL,
  "export_id" uuid NOT NULL,
  "index" integer NOT NULL,
  "sealed" bytea NOT NULL,
  CONSTRAINT "archive_parts_pkey" PRIMARY KEY (therapist_id, export_id, index)
);

CREATE TABLE "identity"."archives" (
  "therapist_id" uuid NOT NULL,
  "export_id" uuid NOT NULL,
  "user_id" uuid NOT NULL,
  "secret_hash" text NOT NULL,
  "requested_at" timestamp with time zone NOT NULL,
  "is_begun" boolean DEFAULT false NOT NULL,
  "alive_until" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone,
  "parts" integer DEFAULT 0 NOT NULL,
  "size" bigint DEFAULT 0 NOT NULL,
  CONSTRAINT "archives_hash_key" UNIQUE (secret_hash),
  CONSTRAINT "archives_pkey" PRIMARY KEY (therapist_id, export_id)
);

CREATE TABLE "identity"."exports" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "requested_at" timestamp with time zone NOT NULL,
  "requested_by" uuid NOT NULL,
  "status" text NOT NULL,
  "progress" integer NOT NULL,
  "size" bigint,
  "expires_at" timestamp with time zone,
  "problem" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "exports_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "exports_progress_check" CHECK (((progress >= 0) AND (progress <= 100))),
  CONSTRAINT "exports_size_check" CHECK ((size >= 0)),
  CONSTRAINT "exports_status_check" CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

CREATE TABLE "identity"."exports_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "requested_at" timestamp with time zone NOT NULL,
  "requested_by" uuid NOT NULL,
  "status" text NOT NULL,
  "progress" integer NOT NULL,
  "size" bigint,
  "expires_at" timestamp with time zone,
  "problem" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "exports_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

ALTER TABLE "identity"."archive_parts" ADD CONSTRAINT "archive_parts_archive_fkey" FOREIGN KEY (therapist_id, export_id) REFERENCES identity.archives(therapist_id, export_id) ON DELETE CASCADE;

ALTER TABLE "identity"."security_events" DROP CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."security_events" ADD CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text, 'practice_exported'::text, 'export_downloaded'::text])));

ALTER TABLE "identity"."archive_parts" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."archives" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."exports" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."exports_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "identity"."archive_parts" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "ended" ON "identity"."archives" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_end" ON "identity"."archives" AS PERMISSIVE FOR UPDATE TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."archives" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "own_user" ON "identity"."archives" AS PERMISSIVE FOR SELECT TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "presented" ON "identity"."archives" AS PERMISSIVE FOR SELECT TO identity USING ((secret_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

DROP POLICY "permitted" ON "identity"."events";

CREATE POLICY "permitted" ON "identity"."events" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN ((aggregate = 'membership'::text) AND (type = 'MembershipDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'export'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "identity"."events";

CREATE POLICY "readable" ON "identity"."events" AS RESTRICTIVE FOR SELECT TO identity USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'export'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "identity"."exports" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."exports" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."exports" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."exports" AS PERMISSIVE FOR UPDATE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."exports_versions" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."exports_versions" AS PERMISSIVE FOR SELECT TO identity USING (
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

DROP POLICY "permitted" ON "identity"."personal_values";

CREATE POLICY "permitted" ON "identity"."personal_values" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'export'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "identity"."personal_values";

CREATE POLICY "readable" ON "identity"."personal_values" AS RESTRICTIVE FOR SELECT TO identity USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'export'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT INSERT, SELECT ON "identity"."archive_parts" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (alive_until, expires_at, is_begun, parts, size) ON "identity"."archives" TO identity;

GRANT SELECT ON "identity"."archives" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."exports" TO identity;

GRANT INSERT, SELECT ON "identity"."exports_versions" TO identity;
