ALTER TABLE "identity"."personal_keys" ALTER COLUMN "sealed_key" DROP NOT NULL;

ALTER TABLE "identity"."personal_keys" ADD COLUMN "erased_at" timestamp with time zone;

ALTER TABLE "identity"."personal_keys" ADD COLUMN "erased_events" bigint;

ALTER TABLE "identity"."practice_head" ADD COLUMN "erasures" bigint DEFAULT 0 NOT NULL;

CREATE POLICY "update_erased" ON "identity"."personal_keys" AS RESTRICTIVE FOR UPDATE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

CREATE POLICY "delete_erased" ON "identity"."personal_values" AS RESTRICTIVE FOR DELETE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

CREATE POLICY "update_erased" ON "identity"."personal_values" AS RESTRICTIVE FOR UPDATE TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

REVOKE ALL ON "identity"."idempotency" FROM identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."idempotency" TO identity;

REVOKE ALL ON "identity"."personal_keys" FROM identity;

GRANT INSERT, SELECT, UPDATE ON "identity"."personal_keys" TO identity;

REVOKE ALL ON "identity"."personal_values" FROM identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."personal_values" TO identity;
