ALTER TABLE "identity"."access" ADD COLUMN "requires_mfa" boolean DEFAULT false NOT NULL;

CREATE POLICY "own_lock" ON "identity"."access" AS PERMISSIVE FOR UPDATE TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK (false);

CREATE POLICY "begins_mfa_seen" ON "identity"."mfa_factors" AS PERMISSIVE FOR SELECT TO identity USING ((user_id IN ( SELECT a.user_id
   FROM identity.access a
  WHERE (a.therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")))));

CREATE POLICY "begins_mfa" ON "identity"."personal_tokens" AS PERMISSIVE FOR DELETE TO identity USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "begins_mfa_seen" ON "identity"."personal_tokens" AS PERMISSIVE FOR SELECT TO identity USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "begins_mfa" ON "identity"."sessions" AS PERMISSIVE FOR UPDATE TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")) AND (second_factor_at IS NULL))) WITH CHECK ((ended_at IS NOT NULL));

CREATE POLICY "begins_mfa_seen" ON "identity"."sessions" AS PERMISSIVE FOR SELECT TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.begins_mfa'::text, true), ''::text))::uuid AS "nullif")) AND (second_factor_at IS NULL)));

REVOKE ALL ON "identity"."access" FROM identity;

GRANT INSERT, SELECT, UPDATE (changed_at, requires_mfa, role) ON "identity"."access" TO identity;

UPDATE "identity"."access" AS a SET requires_mfa = true, changed_at = now()
FROM "identity"."practices" AS p WHERE p.therapist_id = a.therapist_id AND p.require_mfa;
