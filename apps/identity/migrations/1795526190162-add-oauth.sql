CREATE TABLE "identity"."oauth_client_secrets" (
  "therapist_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "secret_hash" text NOT NULL,
  "ends_at" timestamp with time zone,
  CONSTRAINT "oauth_client_secrets_pkey" PRIMARY KEY (therapist_id, client_id, secret_hash)
);

CREATE TABLE "identity"."oauth_clients" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "redirect_uris" text[] NOT NULL,
  "kind" text NOT NULL,
  "secret" text,
  "secret_rotated_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "oauth_clients_kind_check" CHECK ((kind = ANY (ARRAY['public'::text, 'confidential'::text]))),
  CONSTRAINT "oauth_clients_name_check" CHECK ((btrim(name) <> ''::text)),
  CONSTRAINT "oauth_clients_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."oauth_clients_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "name" text NOT NULL,
  "redirect_uris" text[] NOT NULL,
  "kind" text NOT NULL,
  "secret" text,
  "secret_rotated_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "oauth_clients_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "identity"."oauth_grant_uses" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "last_used_at" timestamp with time zone,
  "last_used_address" text,
  CONSTRAINT "oauth_grant_uses_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."oauth_grants" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" text NOT NULL,
  "client_name" text NOT NULL,
  "user_id" uuid NOT NULL,
  "scopes" text[] NOT NULL,
  "ask" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "last_used_at" timestamp with time zone,
  "last_used_address" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "oauth_grants_ask_check" CHECK ((ask = ANY (ARRAY['never'::text, 'above'::text, 'always'::text]))),
  CONSTRAINT "oauth_grants_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."oauth_grants_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" text NOT NULL,
  "client_name" text NOT NULL,
  "user_id" uuid NOT NULL,
  "scopes" text[] NOT NULL,
  "ask" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "last_used_at" timestamp with time zone,
  "last_used_address" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "oauth_grants_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "identity"."oauth_payloads" (
  "id_hash" text NOT NULL,
  "sealed_payload" text NOT NULL,
  "grant_hash" text,
  "user_code_hash" text,
  "consumed_at" timestamp with time zone,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "oauth_payloads_pkey" PRIMARY KEY (id_hash)
);

CREATE TABLE "identity"."oauth_registrations" (
  "client_id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "name" text NOT NULL,
  "redirect_uris" text[] NOT NULL,
  "kind" text NOT NULL,
  CONSTRAINT "oauth_registrations_pkey" PRIMARY KEY (client_id)
);

ALTER TABLE "identity"."personal_tokens" ADD COLUMN "oauth_client_id" text;

ALTER TABLE "identity"."personal_tokens" ADD COLUMN "oauth_client_name" text;

ALTER TABLE "identity"."security_events" DROP CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."security_events" ADD CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'passkey_registered'::text, 'passkey_renamed'::text, 'passkey_removed'::text, 'passkey_counter_refused'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'oauth_granted'::text, 'oauth_grant_used'::text, 'oauth_grant_revoked'::text, 'calendar_link_created'::text, 'calendar_link_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text, 'practice_exported'::text, 'export_downloaded'::text, 'practice_closed'::text, 'practice_reopened'::text]))) NOT VALID;

CREATE INDEX oauth_grants_user_id_idx ON identity.oauth_grants USING btree (therapist_id, user_id);

CREATE INDEX oauth_grants_versions_user_id_idx ON identity.oauth_grants_versions USING btree (therapist_id, user_id);

CREATE INDEX oauth_payloads_expiry_idx ON identity.oauth_payloads USING btree (expires_at);

CREATE INDEX oauth_payloads_grant_idx ON identity.oauth_payloads USING btree (grant_hash) WHERE (grant_hash IS NOT NULL);

CREATE UNIQUE INDEX oauth_payloads_user_code_key ON identity.oauth_payloads USING btree (user_code_hash) WHERE (user_code_hash IS NOT NULL);

ALTER TABLE "identity"."oauth_client_secrets" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_clients" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_clients_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_grant_uses" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_grants" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_grants_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_payloads" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."oauth_registrations" ENABLE ROW LEVEL SECURITY;

DROP POLICY "permitted" ON "identity"."events";

CREATE POLICY "permitted" ON "identity"."events" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN ((aggregate = 'membership'::text) AND (type = 'MembershipDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN ((aggregate = 'oauth_client'::text) AND (type = 'OauthClientDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'oauth_client'::text) THEN '{owner,system}'::text[]
    WHEN ((aggregate = 'oauth_grant'::text) AND (type = 'OauthGrantRevoked'::text)) THEN '{owner,therapist,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'oauth_grant'::text) THEN '{owner,therapist,front_desk,billing,system}'::text[]
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
    WHEN (aggregate = 'oauth_client'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'oauth_grant'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'export'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "own_practice" ON "identity"."oauth_client_secrets" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "presented" ON "identity"."oauth_client_secrets" AS PERMISSIVE FOR SELECT TO identity USING (((client_id)::text = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

CREATE POLICY "delete_own" ON "identity"."oauth_clients" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."oauth_clients" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."oauth_clients" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."oauth_clients" AS PERMISSIVE FOR UPDATE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."oauth_clients_versions" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."oauth_clients_versions" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "gateway_state" ON "identity"."oauth_grant_uses" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."oauth_grant_uses" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "delete_own" ON "identity"."oauth_grants" AS PERMISSIVE FOR DELETE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "identity"."oauth_grants" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "identity"."oauth_grants" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."oauth_grants" AS PERMISSIVE FOR UPDATE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,billing,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "identity"."oauth_grants_versions" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "identity"."oauth_grants_versions" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "expired" ON "identity"."oauth_payloads" AS PERMISSIVE FOR ALL TO identity_relay USING ((expires_at < now()));

CREATE POLICY "presented" ON "identity"."oauth_payloads" AS PERMISSIVE FOR ALL TO identity USING (((id_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")) OR (grant_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")) OR (user_code_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((id_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."oauth_registrations" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "presented" ON "identity"."oauth_registrations" AS PERMISSIVE FOR SELECT TO identity USING (((client_id)::text = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

CREATE POLICY "gateway_state" ON "identity"."personal_tokens" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

DROP POLICY "permitted" ON "identity"."personal_values";

CREATE POLICY "permitted" ON "identity"."personal_values" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'oauth_client'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'oauth_grant'::text) THEN '{owner,therapist,front_desk,billing,system}'::text[]
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
    WHEN (aggregate = 'oauth_client'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'oauth_grant'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'export'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT DELETE, INSERT, SELECT, UPDATE (ends_at) ON "identity"."oauth_client_secrets" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."oauth_clients" TO identity;

GRANT INSERT, SELECT ON "identity"."oauth_clients_versions" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (last_used_address, last_used_at) ON "identity"."oauth_grant_uses" TO identity;

GRANT SELECT (expires_at, id, therapist_id) ON "identity"."oauth_grant_uses" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."oauth_grants" TO identity;

GRANT INSERT, SELECT ON "identity"."oauth_grants_versions" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (consumed_at, expires_at, grant_hash, sealed_payload, user_code_hash) ON "identity"."oauth_payloads" TO identity;

GRANT DELETE, SELECT (expires_at) ON "identity"."oauth_payloads" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (name, redirect_uris) ON "identity"."oauth_registrations" TO identity;

GRANT SELECT (id) ON "identity"."personal_tokens" TO identity_relay;
