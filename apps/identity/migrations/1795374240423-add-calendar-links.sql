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

ALTER TABLE "identity"."calendar_links" ADD CONSTRAINT "calendar_links_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."security_events" DROP CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."security_events" ADD CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'calendar_link_created'::text, 'calendar_link_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text, 'practice_exported'::text, 'export_downloaded'::text, 'practice_closed'::text, 'practice_reopened'::text])));

CREATE INDEX calendar_links_user_idx ON identity.calendar_links USING btree (user_id);

ALTER TABLE "identity"."calendar_links" ENABLE ROW LEVEL SECURITY;

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

GRANT DELETE, INSERT, SELECT, UPDATE (last_used_address, last_used_at) ON "identity"."calendar_links" TO identity;
