ALTER TABLE "identity"."sessions" ADD COLUMN "left_practices" jsonb DEFAULT '{}'::jsonb NOT NULL;

REVOKE ALL ON "identity"."sessions" FROM identity;

GRANT DELETE, INSERT, SELECT, UPDATE (ended_at, left_practices, refreshed_at, second_factor, second_factor_at, therapist_id, tokens_expire_at) ON "identity"."sessions" TO identity;
