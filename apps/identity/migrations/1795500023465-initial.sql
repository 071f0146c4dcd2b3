CREATE TABLE "identity"."access" (
  "user_id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "role" text,
  "changed_at" timestamp with time zone,
  "requires_mfa" boolean DEFAULT false NOT NULL,
  "held_until" timestamp with time zone,
  "held_since" timestamp with time zone,
  CONSTRAINT "access_pkey" PRIMARY KEY (user_id, therapist_id)
);

CREATE TABLE "identity"."address_changes" (
  "user_id" uuid NOT NULL,
  "email" text NOT NULL,
  "old_token_hash" text NOT NULL,
  "new_token_hash" text NOT NULL,
  "old_confirmed_at" timestamp with time zone,
  "new_confirmed_at" timestamp with time zone,
  "code_challenge" text,
  "sent_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "address_changes_new_key" UNIQUE (new_token_hash),
  CONSTRAINT "address_changes_old_key" UNIQUE (old_token_hash),
  CONSTRAINT "address_changes_pkey" PRIMARY KEY (user_id)
);

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

CREATE TABLE "identity"."broken_glass" (
  "user_id" uuid NOT NULL,
  "session_id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "role" text NOT NULL,
  "id" uuid NOT NULL,
  "until" timestamp with time zone NOT NULL,
  CONSTRAINT "broken_glass_pkey" PRIMARY KEY (user_id, session_id)
);

CREATE TABLE "identity"."bus_erasures" (
  "therapist_id" uuid NOT NULL,
  CONSTRAINT "bus_erasures_pkey" PRIMARY KEY (therapist_id)
);

CREATE TABLE "identity"."calendar_links" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "user_id" uuid NOT NULL,
  "secret_hash" text NOT NULL,
  "is_full" boolean NOT NULL,
  "practitioner_id" uuid,
  "created_at" timestamp with time zone NOT NULL,
  "last_used_at" timestamp with time zone,
  "last_used_address" text,
  CONSTRAINT "calendar_links_hash_key" UNIQUE (secret_hash),
  CONSTRAINT "calendar_links_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."credentials" (
  "user_id" uuid NOT NULL,
  "email" text NOT NULL,
  "password_hash" text NOT NULL,
  "last_sign_in_at" timestamp with time zone NOT NULL,
  "recovery_sent_at" timestamp with time zone,
  "therapist_id" uuid,
  "confirmed_at" timestamp with time zone,
  CONSTRAINT "credentials_email_key" UNIQUE (email),
  CONSTRAINT "credentials_pkey" PRIMARY KEY (user_id)
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

CREATE TABLE "identity"."invitations" (
  "therapist_id" uuid NOT NULL,
  "membership_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "invitations_hash_key" UNIQUE (token_hash),
  CONSTRAINT "invitations_pkey" PRIMARY KEY (therapist_id, membership_id)
);

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

CREATE TABLE "identity"."mailed_tokens" (
  "user_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "purpose" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "code_challenge" text,
  CONSTRAINT "mailed_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "mailed_tokens_pkey" PRIMARY KEY (user_id, token_hash),
  CONSTRAINT "mailed_tokens_purpose_check" CHECK ((purpose = ANY (ARRAY['recovery'::text, 'reauthentication'::text, 'code'::text])))
);

CREATE TABLE "identity"."memberships" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "user_id" uuid,
  "email" text NOT NULL,
  "display_name" text,
  "role" text NOT NULL,
  "status" text NOT NULL,
  "invited_at" timestamp with time zone,
  "joined_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "memberships_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "memberships_email_key" EXCLUDE USING btree (therapist_id WITH =, email WITH =) WHERE ((status = ANY (ARRAY['invited'::text, 'active'::text]))) DEFERRABLE,
  CONSTRAINT "memberships_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "memberships_role_check" CHECK ((role = ANY (ARRAY['owner'::text, 'therapist'::text, 'front_desk'::text, 'billing'::text, 'read_only'::text]))),
  CONSTRAINT "memberships_status_check" CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'removed'::text]))),
  CONSTRAINT "memberships_user_key" EXCLUDE USING btree (therapist_id WITH =, user_id WITH =) WHERE ((status = 'active'::text)) DEFERRABLE
);

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

CREATE TABLE "identity"."mfa_challenges" (
  "user_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "factor_id" uuid NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "mfa_challenges_pkey" PRIMARY KEY (user_id, id)
);

CREATE TABLE "identity"."mfa_factors" (
  "user_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "friendly_name" text NOT NULL,
  "sealed_secret" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "verified_at" timestamp with time zone,
  "last_challenged_at" timestamp with time zone,
  "last_step" bigint DEFAULT 0 NOT NULL,
  CONSTRAINT "mfa_factors_pkey" PRIMARY KEY (user_id, id)
);

CREATE TABLE "identity"."pending_sign_ups" (
  "user_id" uuid NOT NULL,
  "email" text NOT NULL,
  "token_hash" text NOT NULL,
  "password_hash" text NOT NULL,
  "metadata" jsonb NOT NULL,
  "code_challenge" text,
  "created_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "pending_sign_ups_hash_key" UNIQUE (token_hash),
  CONSTRAINT "pending_sign_ups_pkey" PRIMARY KEY (user_id)
);

CREATE TABLE "identity"."personal_tokens" (
  "user_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "name" text NOT NULL,
  "token_hash" text NOT NULL,
  "prefix" text NOT NULL,
  "scopes" text[],
  "created_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "last_used_at" timestamp with time zone,
  "last_used_address" text,
  CONSTRAINT "personal_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "personal_tokens_pkey" PRIMARY KEY (user_id, id)
);

CREATE TABLE "identity"."practices" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "email" text NOT NULL,
  "require_mfa" boolean NOT NULL,
  "closed_at" timestamp with time zone,
  "erase_at" timestamp with time zone,
  "erased_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "practices_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "practices_name_check" CHECK ((btrim(name) <> ''::text)),
  CONSTRAINT "practices_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."practices_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "name" text NOT NULL,
  "email" text NOT NULL,
  "require_mfa" boolean NOT NULL,
  "closed_at" timestamp with time zone,
  "erase_at" timestamp with time zone,
  "erased_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "practices_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "identity"."recovery_codes" (
  "user_id" uuid NOT NULL,
  "code_hash" text NOT NULL,
  "retired_at" timestamp with time zone,
  CONSTRAINT "recovery_codes_pkey" PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE "identity"."refresh_tokens" (
  "user_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "session_id" uuid NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "used_at" timestamp with time zone,
  CONSTRAINT "refresh_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY (user_id, token_hash)
);

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
  "reason" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'calendar_link_created'::text, 'calendar_link_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text, 'practice_exported'::text, 'export_downloaded'::text, 'practice_closed'::text, 'practice_reopened'::text]))),
  CONSTRAINT "security_events_pkey" PRIMARY KEY (therapist_id, id)
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

CREATE TABLE "identity"."sessions" (
  "user_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "left_practices" jsonb DEFAULT '{}'::jsonb NOT NULL,
  "method" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "tokens_expire_at" timestamp with time zone NOT NULL,
  "ended_at" timestamp with time zone,
  "refreshed_at" timestamp with time zone NOT NULL,
  "address" text,
  "second_factor" text,
  "second_factor_at" timestamp with time zone,
  CONSTRAINT "sessions_method_check" CHECK ((method = ANY (ARRAY['password'::text, 'otp'::text]))),
  CONSTRAINT "sessions_pkey" PRIMARY KEY (user_id, id),
  CONSTRAINT "sessions_second_factor_check" CHECK ((second_factor = ANY (ARRAY['totp'::text, 'mfa/recovery_code'::text])))
);

CREATE TABLE "identity"."signing_keys" (
  "kid" text NOT NULL,
  "created_at" timestamp with time zone DEFAULT now() NOT NULL,
  "public_jwk" jsonb NOT NULL,
  "sealed_private_key" text,
  "signs_from" timestamp with time zone NOT NULL,
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY (kid)
);

CREATE TABLE "identity"."users" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "metadata" jsonb NOT NULL,
  "password_changed_at" timestamp with time zone NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "users_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "users_pkey" PRIMARY KEY (therapist_id, id)
);

ALTER TABLE "identity"."address_changes" ADD CONSTRAINT "address_changes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."archive_parts" ADD CONSTRAINT "archive_parts_archive_fkey" FOREIGN KEY (therapist_id, export_id) REFERENCES identity.archives(therapist_id, export_id) ON DELETE CASCADE;

ALTER TABLE "identity"."broken_glass" ADD CONSTRAINT "broken_glass_user_id_session_id_fkey" FOREIGN KEY (user_id, session_id) REFERENCES identity.sessions(user_id, id) ON DELETE CASCADE;

ALTER TABLE "identity"."calendar_links" ADD CONSTRAINT "calendar_links_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."mfa_challenges" ADD CONSTRAINT "mfa_challenges_user_id_factor_id_fkey" FOREIGN KEY (user_id, factor_id) REFERENCES identity.mfa_factors(user_id, id) ON DELETE CASCADE;

ALTER TABLE "identity"."mfa_factors" ADD CONSTRAINT "mfa_factors_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."personal_tokens" ADD CONSTRAINT "personal_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."refresh_tokens" ADD CONSTRAINT "refresh_tokens_user_id_session_id_fkey" FOREIGN KEY (user_id, session_id) REFERENCES identity.sessions(user_id, id) ON DELETE CASCADE;

ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

CREATE INDEX access_changed_idx ON identity.access USING btree (changed_at) WHERE (changed_at IS NOT NULL);

CREATE INDEX access_practice_idx ON identity.access USING btree (therapist_id);

CREATE INDEX address_changes_expiry_idx ON identity.address_changes USING btree (expires_at);

CREATE INDEX broken_glass_until_idx ON identity.broken_glass USING btree (until);

CREATE INDEX calendar_links_user_idx ON identity.calendar_links USING btree (user_id);

CREATE INDEX memberships_role_idx ON identity.memberships USING btree (therapist_id, role);

CREATE INDEX memberships_status_idx ON identity.memberships USING btree (therapist_id, status);

CREATE INDEX memberships_versions_role_idx ON identity.memberships_versions USING btree (therapist_id, role);

CREATE INDEX memberships_versions_status_idx ON identity.memberships_versions USING btree (therapist_id, status);

CREATE UNIQUE INDEX mfa_factors_name_key ON identity.mfa_factors USING btree (user_id, friendly_name) WHERE (friendly_name <> ''::text);

CREATE INDEX pending_sign_ups_email_idx ON identity.pending_sign_ups USING btree (email, created_at);

CREATE INDEX pending_sign_ups_expiry_idx ON identity.pending_sign_ups USING btree (expires_at);

-- contract: the schema is new, so the table has no rows
CREATE INDEX practice_head_erase_at_idx ON identity.practice_head USING btree (erase_at) WHERE (erase_at IS NOT NULL);

CREATE INDEX refresh_tokens_session_idx ON identity.refresh_tokens USING btree (user_id, session_id);

CREATE INDEX security_events_created_at_idx ON identity.security_events USING btree (therapist_id, created_at);

CREATE INDEX security_events_user_id_created_at_idx ON identity.security_events USING btree (therapist_id, user_id, created_at);

CREATE INDEX security_events_versions_created_at_idx ON identity.security_events_versions USING btree (therapist_id, created_at);

CREATE INDEX security_events_versions_user_id_created_at_idx ON identity.security_events_versions USING btree (therapist_id, user_id, created_at);

CREATE INDEX sessions_ended_idx ON identity.sessions USING btree (tokens_expire_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX sessions_refreshed_at_idx ON identity.sessions USING btree (refreshed_at);

ALTER TABLE "identity"."access" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."address_changes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."archive_parts" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."archives" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."broken_glass" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."bus_erasures" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."calendar_links" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."credentials" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."exports" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."exports_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."invitations" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."log_seals" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."mailed_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."memberships" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."memberships_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."mfa_challenges" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."mfa_factors" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."pending_sign_ups" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."personal_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."practices" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."practices_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."recovery_codes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."refresh_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."security_events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."security_events_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."sessions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."users" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "gateway_state" ON "identity"."access" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_lock" ON "identity"."access" AS PERMISSIVE FOR UPDATE TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK (false);

CREATE POLICY "own_practice" ON "identity"."access" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "own_user" ON "identity"."access" AS PERMISSIVE FOR SELECT TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "expired" ON "identity"."address_changes" AS PERMISSIVE FOR ALL TO identity_relay USING ((expires_at < now()));

CREATE POLICY "own_user" ON "identity"."address_changes" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (old_token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")) OR (new_token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

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

CREATE POLICY "gateway_state" ON "identity"."broken_glass" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_user" ON "identity"."broken_glass" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."bus_erasures" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "identity"."bus_erasures" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

CREATE POLICY "own_end" ON "identity"."calendar_links" AS PERMISSIVE FOR DELETE TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."calendar_links" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "own_user" ON "identity"."calendar_links" AS PERMISSIVE FOR SELECT TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "presented" ON "identity"."calendar_links" AS PERMISSIVE FOR SELECT TO identity USING ((secret_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

CREATE POLICY "founders" ON "identity"."credentials" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_user" ON "identity"."credentials" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

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

CREATE POLICY "own_practice" ON "identity"."invitations" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "presented" ON "identity"."invitations" AS PERMISSIVE FOR SELECT TO identity USING ((token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

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

CREATE POLICY "own_user" ON "identity"."mailed_tokens" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "delete_own" ON "identity"."memberships" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."memberships" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."memberships" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."memberships" AS PERMISSIVE FOR UPDATE TO identity USING (
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

CREATE POLICY "own_user" ON "identity"."mfa_challenges" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "begins_mfa_seen" ON "identity"."mfa_factors" AS PERMISSIVE FOR SELECT TO identity USING ((user_id IN ( SELECT a.user_id
   FROM identity.access a
  WHERE (a.therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")))));

CREATE POLICY "own_user" ON "identity"."mfa_factors" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "expired" ON "identity"."pending_sign_ups" AS PERMISSIVE FOR ALL TO identity_relay USING ((expires_at < now()));

CREATE POLICY "presented" ON "identity"."pending_sign_ups" AS PERMISSIVE FOR ALL TO identity USING (((email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

CREATE POLICY "begins_mfa" ON "identity"."personal_tokens" AS PERMISSIVE FOR DELETE TO identity USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "begins_mfa_seen" ON "identity"."personal_tokens" AS PERMISSIVE FOR SELECT TO identity USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."personal_tokens" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

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

CREATE POLICY "delete_own" ON "identity"."practices" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."practices" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."practices" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."practices" AS PERMISSIVE FOR UPDATE TO identity USING (
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

CREATE POLICY "own_user" ON "identity"."recovery_codes" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."refresh_tokens" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

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

CREATE POLICY "begins_mfa" ON "identity"."sessions" AS PERMISSIVE FOR UPDATE TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")) AND (second_factor_at IS NULL))) WITH CHECK ((ended_at IS NOT NULL));

CREATE POLICY "begins_mfa_seen" ON "identity"."sessions" AS PERMISSIVE FOR SELECT TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")) AND (second_factor_at IS NULL)));

CREATE POLICY "gateway_state" ON "identity"."sessions" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "old" ON "identity"."sessions" AS PERMISSIVE FOR DELETE TO identity_relay USING ((refreshed_at < (now() - '30 days'::interval)));

CREATE POLICY "own_user" ON "identity"."sessions" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "delete_own" ON "identity"."users" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."users" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."users" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."users" AS PERMISSIVE FOR UPDATE TO identity USING (
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

GRANT INSERT, SELECT, UPDATE (changed_at, held_since, held_until, requires_mfa, role) ON "identity"."access" TO identity;

GRANT SELECT ON "identity"."access" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (new_confirmed_at, old_confirmed_at) ON "identity"."address_changes" TO identity;

GRANT DELETE, SELECT (expires_at) ON "identity"."address_changes" TO identity_relay;

GRANT INSERT, SELECT ON "identity"."archive_parts" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (alive_until, expires_at, is_begun, parts, size) ON "identity"."archives" TO identity;

GRANT SELECT ON "identity"."archives" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (id, role, therapist_id, until) ON "identity"."broken_glass" TO identity;

GRANT SELECT ON "identity"."broken_glass" TO identity_relay;

GRANT INSERT ON "identity"."bus_erasures" TO identity;

GRANT DELETE, SELECT ON "identity"."bus_erasures" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (last_used_address, last_used_at) ON "identity"."calendar_links" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (confirmed_at, email, last_sign_in_at, password_hash, recovery_sent_at, therapist_id) ON "identity"."credentials" TO identity;

GRANT SELECT (user_id) ON "identity"."credentials" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."exports" TO identity;

GRANT INSERT, SELECT ON "identity"."exports_versions" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (expires_at, token_hash) ON "identity"."invitations" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."log_seals" TO identity;

GRANT DELETE, INSERT, SELECT ON "identity"."mailed_tokens" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."memberships" TO identity;

GRANT INSERT, SELECT ON "identity"."memberships_versions" TO identity;

GRANT DELETE, INSERT, SELECT ON "identity"."mfa_challenges" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (last_challenged_at, last_step, updated_at, verified_at) ON "identity"."mfa_factors" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (expires_at, token_hash) ON "identity"."pending_sign_ups" TO identity;

GRANT DELETE, SELECT (expires_at) ON "identity"."pending_sign_ups" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (last_used_address, last_used_at) ON "identity"."personal_tokens" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."practices" TO identity;

GRANT INSERT, SELECT ON "identity"."practices_versions" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (retired_at) ON "identity"."recovery_codes" TO identity;

GRANT INSERT, SELECT, UPDATE (used_at) ON "identity"."refresh_tokens" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."security_events" TO identity;

GRANT INSERT, SELECT ON "identity"."security_events_versions" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (ended_at, left_practices, refreshed_at, second_factor, second_factor_at, therapist_id, tokens_expire_at) ON "identity"."sessions" TO identity;

GRANT DELETE, SELECT (created_at, ended_at, id, refreshed_at, tokens_expire_at, user_id) ON "identity"."sessions" TO identity_relay;

GRANT INSERT, SELECT ON "identity"."signing_keys" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."users" TO identity;
