ALTER TABLE "identity"."practices" ADD COLUMN "erased_at" timestamp with time zone;

ALTER TABLE "identity"."practices_versions" ADD COLUMN "erased_at" timestamp with time zone;

CREATE INDEX practice_head_erase_at_idx ON identity.practice_head USING btree (erase_at) WHERE (erase_at IS NOT NULL);

REVOKE ALL ON "identity"."credentials" FROM identity;

GRANT DELETE, INSERT, SELECT, UPDATE (confirmed_at, email, last_sign_in_at, password_hash, recovery_sent_at, therapist_id) ON "identity"."credentials" TO identity;
