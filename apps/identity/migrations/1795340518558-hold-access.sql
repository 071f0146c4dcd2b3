ALTER TABLE "identity"."access" ADD COLUMN "held_until" timestamp with time zone;

CREATE INDEX access_practice_idx ON identity.access USING btree (therapist_id);

REVOKE ALL ON "identity"."access" FROM identity;

GRANT INSERT, SELECT, UPDATE (changed_at, held_until, requires_mfa, role) ON "identity"."access" TO identity;
