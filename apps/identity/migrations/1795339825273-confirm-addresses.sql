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

ALTER TABLE "identity"."credentials" ADD COLUMN "confirmed_at" timestamp with time zone;

ALTER TABLE "identity"."address_changes" ADD CONSTRAINT "address_changes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

CREATE INDEX pending_sign_ups_email_idx ON identity.pending_sign_ups USING btree (email, created_at);

CREATE INDEX pending_sign_ups_expiry_idx ON identity.pending_sign_ups USING btree (expires_at);

ALTER TABLE "identity"."address_changes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."pending_sign_ups" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_user" ON "identity"."address_changes" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (old_token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")) OR (new_token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "expired" ON "identity"."pending_sign_ups" AS PERMISSIVE FOR ALL TO identity_relay USING ((expires_at < now()));

CREATE POLICY "presented" ON "identity"."pending_sign_ups" AS PERMISSIVE FOR ALL TO identity USING (((email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

GRANT DELETE, INSERT, SELECT, UPDATE (new_confirmed_at, old_confirmed_at) ON "identity"."address_changes" TO identity;

REVOKE ALL ON "identity"."credentials" FROM identity;

GRANT INSERT, SELECT, UPDATE (confirmed_at, email, last_sign_in_at, password_hash, recovery_sent_at, therapist_id) ON "identity"."credentials" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (expires_at, token_hash) ON "identity"."pending_sign_ups" TO identity;

GRANT DELETE, SELECT (expires_at) ON "identity"."pending_sign_ups" TO identity_relay;
