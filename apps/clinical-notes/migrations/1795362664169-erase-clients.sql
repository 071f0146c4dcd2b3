ALTER TABLE "clinical_notes"."personal_keys" ALTER COLUMN "sealed_key" DROP NOT NULL;

ALTER TABLE "clinical_notes"."personal_keys" ADD COLUMN "erased_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."personal_keys" ADD COLUMN "erased_events" bigint;

ALTER TABLE "clinical_notes"."practice_head" ADD COLUMN "erasures" bigint DEFAULT 0 NOT NULL;

CREATE POLICY "update_erased" ON "clinical_notes"."personal_keys" AS RESTRICTIVE FOR UPDATE TO clinical_notes USING (
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

CREATE POLICY "delete_erased" ON "clinical_notes"."personal_values" AS RESTRICTIVE FOR DELETE TO clinical_notes USING (
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

CREATE POLICY "update_erased" ON "clinical_notes"."personal_values" AS RESTRICTIVE FOR UPDATE TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."sessions_versions" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
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

REVOKE ALL ON "clinical_notes"."idempotency" FROM clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."idempotency" TO clinical_notes;

REVOKE ALL ON "clinical_notes"."personal_keys" FROM clinical_notes;

GRANT INSERT, SELECT, UPDATE ON "clinical_notes"."personal_keys" TO clinical_notes;

REVOKE ALL ON "clinical_notes"."personal_values" FROM clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."personal_values" TO clinical_notes;

REVOKE ALL ON "clinical_notes"."sessions_versions" FROM clinical_notes;

GRANT INSERT, SELECT, UPDATE (assessment, objective, plan, subjective) ON "clinical_notes"."sessions_versions" TO clinical_notes;
