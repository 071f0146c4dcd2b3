CREATE TABLE "identity"."passkey_challenges" (
  "id" uuid NOT NULL,
  "user_id" uuid,
  "challenge" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY (id)
);

CREATE TABLE "identity"."passkeys" (
  "user_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "credential_id" text NOT NULL,
  "public_key" bytea NOT NULL,
  "counter" bigint NOT NULL,
  "transports" text[] NOT NULL,
  "friendly_name" text,
  "created_at" timestamp with time zone NOT NULL,
  "last_used_at" timestamp with time zone,
  CONSTRAINT "passkeys_credential_key" UNIQUE (credential_id),
  CONSTRAINT "passkeys_pkey" PRIMARY KEY (user_id, id)
);

ALTER TABLE "identity"."passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."security_events" DROP CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."security_events" ADD CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'passkey_registered'::text, 'passkey_renamed'::text, 'passkey_removed'::text, 'passkey_counter_refused'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'calendar_link_created'::text, 'calendar_link_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text, 'practice_exported'::text, 'export_downloaded'::text, 'practice_closed'::text, 'practice_reopened'::text]))) NOT VALID;

ALTER TABLE "identity"."sessions" DROP CONSTRAINT "sessions_method_check";

ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_method_check" CHECK ((method = ANY (ARRAY['password'::text, 'otp'::text, 'passkey'::text]))) NOT VALID;

ALTER TABLE "identity"."sessions" DROP CONSTRAINT "sessions_second_factor_check";

ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_second_factor_check" CHECK ((second_factor = ANY (ARRAY['totp'::text, 'mfa/recovery_code'::text, 'passkey'::text]))) NOT VALID;

CREATE INDEX passkey_challenges_expiry_idx ON identity.passkey_challenges USING btree (expires_at);

ALTER TABLE "identity"."passkey_challenges" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."passkeys" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "expired" ON "identity"."passkey_challenges" AS PERMISSIVE FOR ALL TO identity_relay USING ((expires_at < now()));

CREATE POLICY "open" ON "identity"."passkey_challenges" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR ((user_id IS NULL) AND ((id)::text = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif"))))) WITH CHECK (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR ((user_id IS NULL) AND ((id)::text = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))));

CREATE POLICY "begins_mfa_seen" ON "identity"."passkeys" AS PERMISSIVE FOR SELECT TO identity USING ((user_id IN ( SELECT a.user_id
   FROM identity.access a
  WHERE (a.therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")))));

CREATE POLICY "own_user" ON "identity"."passkeys" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (credential_id = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

GRANT DELETE, INSERT, SELECT ON "identity"."passkey_challenges" TO identity;

GRANT DELETE, SELECT (expires_at) ON "identity"."passkey_challenges" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (counter, friendly_name, last_used_at) ON "identity"."passkeys" TO identity;
