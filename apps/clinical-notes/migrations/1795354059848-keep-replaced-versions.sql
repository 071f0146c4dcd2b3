CREATE TABLE "clinical_notes"."sessions_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "appointment_id" uuid,
  "subjective" text,
  "objective" text,
  "assessment" text,
  "plan" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "sessions_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE INDEX sessions_versions_appointment_id_idx ON clinical_notes.sessions_versions USING btree (therapist_id, appointment_id);

CREATE INDEX sessions_versions_client_id_created_at_idx ON clinical_notes.sessions_versions USING btree (therapist_id, client_id, created_at);

ALTER TABLE "clinical_notes"."sessions_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "insert_own" ON "clinical_notes"."sessions_versions" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "clinical_notes"."sessions_versions" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

GRANT INSERT, SELECT ON "clinical_notes"."sessions_versions" TO clinical_notes;
