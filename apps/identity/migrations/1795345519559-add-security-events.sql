CREATE TABLE "identity"."security_events" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "kind" text NOT NULL,
  "user_id" uuid,
  "membership_id" uuid,
  "by_user_id" uuid,
  "session_id" uuid,
  "token_id" uuid,
  "address" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'token_created'::text, 'token_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text]))),
  CONSTRAINT "security_events_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE INDEX security_events_created_at_idx ON identity.security_events USING btree (therapist_id, created_at);

CREATE INDEX security_events_user_id_created_at_idx ON identity.security_events USING btree (therapist_id, user_id, created_at);

ALTER TABLE "identity"."security_events" ENABLE ROW LEVEL SECURITY;

DROP POLICY "permitted" ON "identity"."events";

CREATE POLICY "permitted" ON "identity"."events" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'log_seal'::text) AND (type = 'LogSealWithdrawn'::text)) THEN '{system}'::text[]
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN ((aggregate = 'membership'::text) AND (type = 'MembershipDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
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
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "identity"."security_events" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."security_events" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."security_events" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."security_events" AS PERMISSIVE FOR UPDATE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."security_events" TO identity;
