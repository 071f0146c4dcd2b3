ALTER TABLE "identity"."practice_head" ADD COLUMN "erase_at" timestamp with time zone;

ALTER TABLE "identity"."practices" ADD COLUMN "closed_at" timestamp with time zone;

ALTER TABLE "identity"."practices" ADD COLUMN "erase_at" timestamp with time zone;

ALTER TABLE "identity"."practices_versions" ADD COLUMN "closed_at" timestamp with time zone;

ALTER TABLE "identity"."practices_versions" ADD COLUMN "erase_at" timestamp with time zone;

ALTER TABLE "identity"."security_events" DROP CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."security_events" ADD CONSTRAINT "security_events_kind_check" CHECK ((kind = ANY (ARRAY['signed_in'::text, 'sign_in_refused'::text, 'signed_out'::text, 'session_ended'::text, 'practice_entered'::text, 'second_factor_passed'::text, 'second_factor_refused'::text, 'factor_enrolled'::text, 'factor_removed'::text, 'factors_reset'::text, 'access_released'::text, 'recovery_codes_created'::text, 'account_changed'::text, 'address_confirmed'::text, 'token_created'::text, 'token_revoked'::text, 'member_invited'::text, 'invitation_accepted'::text, 'member_role_changed'::text, 'member_removed'::text, 'mfa_required'::text, 'mfa_no_longer_required'::text, 'glass_broken'::text, 'practice_exported'::text, 'export_downloaded'::text, 'practice_closed'::text, 'practice_reopened'::text])));
