ALTER TABLE "clients"."clients" ALTER COLUMN "name" DROP NOT NULL;

ALTER TABLE "clients"."clients_versions" ALTER COLUMN "name" DROP NOT NULL;

ALTER TABLE "clients"."conversation_log" ALTER COLUMN "content" DROP NOT NULL;

ALTER TABLE "clients"."conversation_log" ALTER COLUMN "metadata" DROP NOT NULL;

ALTER TABLE "clients"."conversation_log_versions" ALTER COLUMN "content" DROP NOT NULL;

ALTER TABLE "clients"."conversation_log_versions" ALTER COLUMN "metadata" DROP NOT NULL;

ALTER TABLE "clients"."personal_keys" ALTER COLUMN "sealed_key" DROP NOT NULL;

ALTER TABLE "clients"."personal_keys" ADD COLUMN "erased_at" timestamp with time zone;

ALTER TABLE "clients"."personal_keys" ADD COLUMN "erased_events" bigint;

ALTER TABLE "clients"."practice_head" ADD COLUMN "erasures" bigint DEFAULT 0 NOT NULL;

CREATE POLICY "update_own" ON "clients"."clients_versions" AS PERMISSIVE FOR UPDATE TO clients USING (
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

CREATE POLICY "update_own" ON "clients"."conversation_log_versions" AS PERMISSIVE FOR UPDATE TO clients USING (
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

CREATE POLICY "update_erased" ON "clients"."personal_keys" AS RESTRICTIVE FOR UPDATE TO clients USING (
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

CREATE POLICY "delete_erased" ON "clients"."personal_values" AS RESTRICTIVE FOR DELETE TO clients USING (
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

CREATE POLICY "update_erased" ON "clients"."personal_values" AS RESTRICTIVE FOR UPDATE TO clients USING (
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

REVOKE ALL ON "clients"."clients_versions" FROM clients;

GRANT INSERT, SELECT, UPDATE (email, name, phone) ON "clients"."clients_versions" TO clients;

REVOKE ALL ON "clients"."conversation_log_versions" FROM clients;

GRANT INSERT, SELECT, UPDATE (content, metadata) ON "clients"."conversation_log_versions" TO clients;

REVOKE ALL ON "clients"."idempotency" FROM clients;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."idempotency" TO clients;

REVOKE ALL ON "clients"."personal_keys" FROM clients;

GRANT INSERT, SELECT, UPDATE ON "clients"."personal_keys" TO clients;

REVOKE ALL ON "clients"."personal_values" FROM clients;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."personal_values" TO clients;
