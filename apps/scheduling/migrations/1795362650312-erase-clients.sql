ALTER TABLE "scheduling"."personal_keys" ALTER COLUMN "sealed_key" DROP NOT NULL;

ALTER TABLE "scheduling"."personal_keys" ADD COLUMN "erased_at" timestamp with time zone;

ALTER TABLE "scheduling"."personal_keys" ADD COLUMN "erased_events" bigint;

ALTER TABLE "scheduling"."practice_head" ADD COLUMN "erasures" bigint DEFAULT 0 NOT NULL;

CREATE POLICY "update_own" ON "scheduling"."appointments_versions" AS PERMISSIVE FOR UPDATE TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "update_erased" ON "scheduling"."personal_keys" AS RESTRICTIVE FOR UPDATE TO scheduling USING (
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

CREATE POLICY "delete_erased" ON "scheduling"."personal_values" AS RESTRICTIVE FOR DELETE TO scheduling USING (
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

CREATE POLICY "update_erased" ON "scheduling"."personal_values" AS RESTRICTIVE FOR UPDATE TO scheduling USING (
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

REVOKE ALL ON "scheduling"."appointments_versions" FROM scheduling;

GRANT INSERT, SELECT, UPDATE (client_name, notes) ON "scheduling"."appointments_versions" TO scheduling;

REVOKE ALL ON "scheduling"."idempotency" FROM scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."idempotency" TO scheduling;

REVOKE ALL ON "scheduling"."personal_keys" FROM scheduling;

GRANT INSERT, SELECT, UPDATE ON "scheduling"."personal_keys" TO scheduling;

REVOKE ALL ON "scheduling"."personal_values" FROM scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."personal_values" TO scheduling;
