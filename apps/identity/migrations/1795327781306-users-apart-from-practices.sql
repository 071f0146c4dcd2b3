-- The private tables belong to users. Until now the id of the user was stored as the id of the practice; both are the same
-- for every existing account. Sessions and personal tokens now also hold the practice that they act in.

DROP POLICY "own_practice" ON "identity"."credentials";
DROP POLICY "own_practice" ON "identity"."sessions";
DROP POLICY "own_practice" ON "identity"."refresh_tokens";
DROP POLICY "own_practice" ON "identity"."mailed_tokens";
DROP POLICY "own_practice" ON "identity"."personal_tokens";

ALTER TABLE "identity"."credentials" RENAME COLUMN "therapist_id" TO "user_id";
ALTER TABLE "identity"."sessions" RENAME COLUMN "therapist_id" TO "user_id";
ALTER TABLE "identity"."refresh_tokens" RENAME COLUMN "therapist_id" TO "user_id";
ALTER TABLE "identity"."mailed_tokens" RENAME COLUMN "therapist_id" TO "user_id";
ALTER TABLE "identity"."personal_tokens" RENAME COLUMN "therapist_id" TO "user_id";

ALTER TABLE "identity"."sessions" RENAME CONSTRAINT "sessions_therapist_id_fkey" TO "sessions_user_id_fkey";
ALTER TABLE "identity"."refresh_tokens" RENAME CONSTRAINT "refresh_tokens_therapist_id_session_id_fkey" TO "refresh_tokens_user_id_session_id_fkey";
ALTER TABLE "identity"."mailed_tokens" RENAME CONSTRAINT "mailed_tokens_therapist_id_fkey" TO "mailed_tokens_user_id_fkey";
ALTER TABLE "identity"."personal_tokens" RENAME CONSTRAINT "personal_tokens_therapist_id_fkey" TO "personal_tokens_user_id_fkey";

ALTER TABLE "identity"."sessions" ADD COLUMN "therapist_id" uuid;
UPDATE "identity"."sessions" SET "therapist_id" = "user_id";
ALTER TABLE "identity"."sessions" ALTER COLUMN "therapist_id" SET NOT NULL;

ALTER TABLE "identity"."personal_tokens" ADD COLUMN "therapist_id" uuid;
UPDATE "identity"."personal_tokens" SET "therapist_id" = "user_id";
ALTER TABLE "identity"."personal_tokens" ALTER COLUMN "therapist_id" SET NOT NULL;

GRANT UPDATE ("therapist_id") ON "identity"."sessions" TO identity;

CREATE POLICY "own_user" ON "identity"."credentials" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."sessions" AS PERMISSIVE FOR ALL TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."refresh_tokens" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."mailed_tokens" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_user" ON "identity"."personal_tokens" AS PERMISSIVE FOR ALL TO identity USING (((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));
