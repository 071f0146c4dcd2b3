ALTER TABLE "identity"."sessions"
  ADD COLUMN "refreshed_at" timestamp with time zone,
  ADD COLUMN "address" text,
  ADD COLUMN "second_factor" text,
  ADD COLUMN "second_factor_at" timestamp with time zone,
  ADD CONSTRAINT "sessions_second_factor_check" CHECK ((second_factor = ANY (ARRAY['totp'::text, 'mfa/recovery_code'::text])));

-- Sessions from before this release count as refreshed now.
UPDATE "identity"."sessions" SET refreshed_at = now();

ALTER TABLE "identity"."sessions" ALTER COLUMN "refreshed_at" SET NOT NULL;

GRANT UPDATE (refreshed_at, second_factor, second_factor_at) ON "identity"."sessions" TO identity;

ALTER TABLE "identity"."personal_tokens"
  ADD COLUMN "scopes" text[],
  ADD COLUMN "last_used_address" text;

-- Tokens from before this release had no scopes but `read_only`, and could have no end.
UPDATE "identity"."personal_tokens" SET scopes = '{*:read}' WHERE read_only;

UPDATE "identity"."personal_tokens" SET expires_at = now() + interval '90 days'
  WHERE expires_at IS NULL OR expires_at > now() + interval '365 days';

ALTER TABLE "identity"."personal_tokens" DROP COLUMN "read_only", ALTER COLUMN "expires_at" SET NOT NULL;

GRANT UPDATE (last_used_address) ON "identity"."personal_tokens" TO identity;

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

CREATE TABLE "identity"."mfa_challenges" (
  "user_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "factor_id" uuid NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "mfa_challenges_pkey" PRIMARY KEY (user_id, id)
);

CREATE TABLE "identity"."recovery_codes" (
  "user_id" uuid NOT NULL,
  "code_hash" text NOT NULL,
  CONSTRAINT "recovery_codes_pkey" PRIMARY KEY (user_id, code_hash)
);

ALTER TABLE "identity"."mfa_factors" ADD CONSTRAINT "mfa_factors_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

ALTER TABLE "identity"."mfa_challenges" ADD CONSTRAINT "mfa_challenges_user_id_factor_id_fkey" FOREIGN KEY (user_id, factor_id) REFERENCES identity.mfa_factors(user_id, id) ON DELETE CASCADE;

ALTER TABLE "identity"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES identity.credentials(user_id) ON DELETE CASCADE;

CREATE UNIQUE INDEX mfa_factors_name_key ON identity.mfa_factors USING btree (user_id, friendly_name) WHERE (friendly_name <> ''::text);

ALTER TABLE "identity"."mfa_factors" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."mfa_challenges" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."recovery_codes" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_user" ON "identity"."mfa_factors" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."mfa_challenges" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."recovery_codes" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

GRANT DELETE, INSERT, SELECT, UPDATE (last_challenged_at, last_step, updated_at, verified_at) ON "identity"."mfa_factors" TO identity;

GRANT DELETE, INSERT, SELECT ON "identity"."mfa_challenges" TO identity;

GRANT DELETE, INSERT, SELECT ON "identity"."recovery_codes" TO identity;
