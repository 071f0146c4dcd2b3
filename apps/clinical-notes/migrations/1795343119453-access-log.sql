CREATE TABLE "clinical_notes"."access_log" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "actor" text NOT NULL,
  "actor_id" uuid NOT NULL,
  "actor_name" text,
  "request_id" text NOT NULL,
  "resource" text NOT NULL,
  "method" text NOT NULL,
  "record_ids" jsonb,
  "count" integer NOT NULL,
  "address" text,
  CONSTRAINT "access_log_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE INDEX access_log_at_idx ON clinical_notes.access_log USING btree (therapist_id, at);

ALTER TABLE "clinical_notes"."access_log" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "insert_own" ON "clinical_notes"."access_log" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."access_log" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

GRANT INSERT, SELECT ON "clinical_notes"."access_log" TO clinical_notes;
