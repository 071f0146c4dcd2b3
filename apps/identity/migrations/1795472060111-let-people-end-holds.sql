ALTER TABLE "identity"."access" ADD COLUMN "held_since" timestamp with time zone;

ALTER TABLE "identity"."recovery_codes" ADD COLUMN "retired_at" timestamp with time zone;

GRANT INSERT, SELECT, UPDATE (changed_at, held_since, held_until, requires_mfa, role) ON "identity"."access" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (retired_at) ON "identity"."recovery_codes" TO identity;
