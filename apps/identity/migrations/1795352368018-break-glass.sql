CREATE TABLE "identity"."broken_glass" (
  "user_id" uuid NOT NULL,
  "session_id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "role" text NOT NULL,
  "id" uuid NOT NULL,
  "until" timestamp with time zone NOT NULL,
  CONSTRAINT "broken_glass_pkey" PRIMARY KEY (user_id, session_id)
);

ALTER TABLE "identity"."security_events" ADD COLUMN "reason" text;

ALTER TABLE "identity"."broken_glass" ADD CONSTRAINT "broken_glass_user_id_session_id_fkey" FOREIGN KEY (user_id, session_id) REFERENCES identity.sessions(user_id, id) ON DELETE CASCADE;

ALTER TABLE "identity"."security_events" DROP CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."security_events" ADD CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text])));

CREATE INDEX broken_glass_until_idx ON identity.broken_glass USING btree (until);

ALTER TABLE "identity"."broken_glass" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "gateway_state" ON "identity"."broken_glass" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_user" ON "identity"."broken_glass" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

GRANT DELETE, INSERT, SELECT, UPDATE (id, role, therapist_id, until) ON "identity"."broken_glass" TO identity;

GRANT SELECT ON "identity"."broken_glass" TO identity_relay;
