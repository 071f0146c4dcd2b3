ALTER TABLE "finance"."personal_keys" ALTER COLUMN "sealed_key" DROP NOT NULL;

ALTER TABLE "finance"."personal_keys" ADD COLUMN "erased_at" timestamp with time zone;

ALTER TABLE "finance"."personal_keys" ADD COLUMN "erased_events" bigint;

ALTER TABLE "finance"."practice_head" ADD COLUMN "erasures" bigint DEFAULT 0 NOT NULL;

CREATE POLICY "update_erased" ON "finance"."personal_keys" AS RESTRICTIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "delete_erased" ON "finance"."personal_values" AS RESTRICTIVE FOR DELETE TO finance USING (
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

CREATE POLICY "update_erased" ON "finance"."personal_values" AS RESTRICTIVE FOR UPDATE TO finance USING (
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

REVOKE ALL ON "finance"."idempotency" FROM finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."idempotency" TO finance;

REVOKE ALL ON "finance"."personal_keys" FROM finance;

GRANT INSERT, SELECT, UPDATE ON "finance"."personal_keys" TO finance;

REVOKE ALL ON "finance"."personal_values" FROM finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."personal_values" TO finance;
