CREATE TABLE "clinical_notes"."diagnoses" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "code" text,
  "description" text,
  "since" date,
  "until" date,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "diagnoses_code_check" CHECK ((code ~ '^[A-Z][0-9][0-9A-Z]([.][0-9A-Z]{1,4})?$'::text)),
  CONSTRAINT "diagnoses_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "clinical_notes"."diagnoses_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "code" text,
  "description" text,
  "since" date,
  "until" date,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "diagnoses_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "clinical_notes"."measures" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "instrument" text NOT NULL,
  "taken_at" timestamp with time zone,
  "answers" jsonb,
  "score" integer,
  "severity" text,
  "loinc" text,
  "has_risk" boolean,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "measures_answers_check" CHECK ((octet_length((answers)::text) <= 8192)),
  CONSTRAINT "measures_instrument_check" CHECK ((instrument = ANY (ARRAY['phq-9'::text, 'phq-2'::text, 'gad-7'::text, 'who-5'::text, 'audit'::text]))),
  CONSTRAINT "measures_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "clinical_notes"."measures_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "instrument" text NOT NULL,
  "taken_at" timestamp with time zone,
  "answers" jsonb,
  "score" integer,
  "severity" text,
  "loinc" text,
  "has_risk" boolean,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "measures_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "clinical_notes"."note_templates" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "sections" jsonb NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "note_templates_name_check" CHECK ((btrim(name) <> ''::text)),
  CONSTRAINT "note_templates_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "note_templates_sections_check" CHECK ((octet_length((sections)::text) <= 32768))
);

CREATE TABLE "clinical_notes"."note_templates_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "name" text NOT NULL,
  "sections" jsonb NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "note_templates_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "clinical_notes"."private_notes" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "author_id" uuid NOT NULL,
  "text" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "private_notes_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "private_notes_text_check" CHECK ((btrim(text) <> ''::text))
);

CREATE TABLE "clinical_notes"."private_notes_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "author_id" uuid NOT NULL,
  "text" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "private_notes_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "clinical_notes"."session_addenda" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "session_id" uuid NOT NULL,
  "client_id" uuid,
  "text" text,
  "author_id" uuid,
  "signed_at" timestamp with time zone,
  "signed_by_name" text,
  "text_hash" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "session_addenda_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "session_addenda_text_check" CHECK ((btrim(text) <> ''::text))
);

CREATE TABLE "clinical_notes"."session_addenda_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "session_id" uuid NOT NULL,
  "client_id" uuid,
  "text" text,
  "author_id" uuid,
  "signed_at" timestamp with time zone,
  "signed_by_name" text,
  "text_hash" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "session_addenda_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "clinical_notes"."session_drafts" (
  "therapist_id" uuid NOT NULL,
  "session_id" uuid NOT NULL,
  "author_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "version" uuid NOT NULL,
  "note_version" integer NOT NULL,
  "saved_at" timestamp with time zone NOT NULL,
  "sealed" text NOT NULL,
  CONSTRAINT "session_drafts_pkey" PRIMARY KEY (therapist_id, author_id, session_id)
);

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "format" text NOT NULL DEFAULT 'soap';

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "template_id" uuid;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "sections" jsonb;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "author_id" uuid;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "needs_cosign_by" uuid;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "status" text NOT NULL DEFAULT 'draft';

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "signed_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "signed_by_name" text;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "signed_meaning" text;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "text_hash" text;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "sealed_hash" text;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "cosigned_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "cosigned_by_name" text;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "voided_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."sessions" ADD COLUMN "void_reason" text;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "format" text NOT NULL DEFAULT 'soap';

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "template_id" uuid;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "sections" jsonb;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "author_id" uuid;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "needs_cosign_by" uuid;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "status" text NOT NULL DEFAULT 'draft';

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "signed_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "signed_by_name" text;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "signed_meaning" text;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "text_hash" text;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "sealed_hash" text;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "cosigned_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "cosigned_by_name" text;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "voided_at" timestamp with time zone;

ALTER TABLE "clinical_notes"."sessions_versions" ADD COLUMN "void_reason" text;

ALTER TABLE "clinical_notes"."sessions" ADD CONSTRAINT "sessions_format_check" CHECK ((format = ANY (ARRAY['soap'::text, 'dap'::text, 'birp'::text, 'girp'::text, 'free'::text]))) NOT VALID;

ALTER TABLE "clinical_notes"."sessions" ADD CONSTRAINT "sessions_sections_check" CHECK ((octet_length((sections)::text) <= 524288)) NOT VALID;

ALTER TABLE "clinical_notes"."sessions" ADD CONSTRAINT "sessions_signed_meaning_check" CHECK ((signed_meaning = ANY (ARRAY['authorship'::text, 'review'::text, 'approval'::text]))) NOT VALID;

ALTER TABLE "clinical_notes"."sessions" ADD CONSTRAINT "sessions_status_check" CHECK ((status = ANY (ARRAY['draft'::text, 'signed'::text, 'voided'::text]))) NOT VALID;

CREATE INDEX diagnoses_client_id_created_at_idx ON clinical_notes.diagnoses USING btree (therapist_id, client_id, created_at);

CREATE INDEX diagnoses_versions_client_id_created_at_idx ON clinical_notes.diagnoses_versions USING btree (therapist_id, client_id, created_at);

CREATE INDEX measures_client_id_taken_at_idx ON clinical_notes.measures USING btree (therapist_id, client_id, taken_at);

CREATE INDEX measures_versions_client_id_taken_at_idx ON clinical_notes.measures_versions USING btree (therapist_id, client_id, taken_at);

CREATE INDEX private_notes_client_id_created_at_idx ON clinical_notes.private_notes USING btree (therapist_id, client_id, created_at);

CREATE INDEX private_notes_versions_client_id_created_at_idx ON clinical_notes.private_notes_versions USING btree (therapist_id, client_id, created_at);

CREATE INDEX session_addenda_client_id_idx ON clinical_notes.session_addenda USING btree (therapist_id, client_id);

CREATE INDEX session_addenda_session_id_created_at_idx ON clinical_notes.session_addenda USING btree (therapist_id, session_id, created_at);

CREATE INDEX session_addenda_versions_client_id_idx ON clinical_notes.session_addenda_versions USING btree (therapist_id, client_id);

CREATE INDEX session_addenda_versions_session_id_created_at_idx ON clinical_notes.session_addenda_versions USING btree (therapist_id, session_id, created_at);

ALTER TABLE "clinical_notes"."diagnoses" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."diagnoses_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."measures" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."measures_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."note_templates" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."note_templates_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."private_notes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."private_notes_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."session_addenda" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."session_addenda_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."session_drafts" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "delete_own" ON "clinical_notes"."diagnoses" AS PERMISSIVE FOR DELETE TO clinical_notes USING (
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

CREATE POLICY "insert_own" ON "clinical_notes"."diagnoses" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."diagnoses" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."diagnoses" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "insert_own" ON "clinical_notes"."diagnoses_versions" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."diagnoses_versions" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."diagnoses_versions" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
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

DROP POLICY "permitted" ON "clinical_notes"."events";

CREATE POLICY "permitted" ON "clinical_notes"."events" AS RESTRICTIVE FOR INSERT TO clinical_notes WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'diagnosis'::text) AND (type = 'DiagnosisRemoved'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'diagnosis'::text) THEN '{owner,therapist,system}'::text[]
    WHEN ((aggregate = 'measure'::text) AND (type = 'MeasureDeleted'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'measure'::text) THEN '{owner,therapist,system}'::text[]
    WHEN ((aggregate = 'note_template'::text) AND (type = 'NoteTemplateRemoved'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'note_template'::text) THEN '{owner,therapist,system}'::text[]
    WHEN ((aggregate = 'private_note'::text) AND (type = 'PrivateNoteDeleted'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'private_note'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'session_addendum'::text) THEN '{owner,therapist,system}'::text[]
    WHEN ((aggregate = 'session_note'::text) AND (type = 'SessionNoteDeleted'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'session_note'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "clinical_notes"."events";

CREATE POLICY "readable" ON "clinical_notes"."events" AS RESTRICTIVE FOR SELECT TO clinical_notes USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'diagnosis'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'measure'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'note_template'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'private_note'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'session_addendum'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'session_note'::text) THEN '{owner,therapist,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "clinical_notes"."measures" AS PERMISSIVE FOR DELETE TO clinical_notes USING (
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

CREATE POLICY "insert_own" ON "clinical_notes"."measures" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."measures" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."measures" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "insert_own" ON "clinical_notes"."measures_versions" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."measures_versions" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."measures_versions" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
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

CREATE POLICY "delete_own" ON "clinical_notes"."note_templates" AS PERMISSIVE FOR DELETE TO clinical_notes USING (
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

CREATE POLICY "insert_own" ON "clinical_notes"."note_templates" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."note_templates" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."note_templates" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "insert_own" ON "clinical_notes"."note_templates_versions" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."note_templates_versions" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

DROP POLICY "permitted" ON "clinical_notes"."personal_values";

CREATE POLICY "permitted" ON "clinical_notes"."personal_values" AS RESTRICTIVE FOR INSERT TO clinical_notes WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'diagnosis'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'measure'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'note_template'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'private_note'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'session_addendum'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'session_note'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "clinical_notes"."personal_values";

CREATE POLICY "readable" ON "clinical_notes"."personal_values" AS RESTRICTIVE FOR SELECT TO clinical_notes USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'diagnosis'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'measure'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'note_template'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'private_note'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'session_addendum'::text) THEN '{owner,therapist,read_only,system}'::text[]
    WHEN (aggregate = 'session_note'::text) THEN '{owner,therapist,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "clinical_notes"."private_notes" AS PERMISSIVE FOR DELETE TO clinical_notes USING (
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

CREATE POLICY "insert_own" ON "clinical_notes"."private_notes" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."private_notes" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "clinical_notes"."private_notes" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "insert_own" ON "clinical_notes"."private_notes_versions" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."private_notes_versions" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "clinical_notes"."private_notes_versions" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
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

CREATE POLICY "delete_own" ON "clinical_notes"."session_addenda" AS PERMISSIVE FOR DELETE TO clinical_notes USING (
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

CREATE POLICY "insert_own" ON "clinical_notes"."session_addenda" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."session_addenda" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."session_addenda" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "insert_own" ON "clinical_notes"."session_addenda_versions" AS PERMISSIVE FOR INSERT TO clinical_notes WITH CHECK (
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

CREATE POLICY "select_own" ON "clinical_notes"."session_addenda_versions" AS PERMISSIVE FOR SELECT TO clinical_notes USING (
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

CREATE POLICY "update_own" ON "clinical_notes"."session_addenda_versions" AS PERMISSIVE FOR UPDATE TO clinical_notes USING (
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

CREATE POLICY "own_practice" ON "clinical_notes"."session_drafts" AS PERMISSIVE FOR ALL TO clinical_notes USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."diagnoses" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE (code, description, since, until) ON "clinical_notes"."diagnoses_versions" TO clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."measures" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE (answers, has_risk, score, severity) ON "clinical_notes"."measures_versions" TO clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."note_templates" TO clinical_notes;

GRANT INSERT, SELECT ON "clinical_notes"."note_templates_versions" TO clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."private_notes" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE (text) ON "clinical_notes"."private_notes_versions" TO clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."session_addenda" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE (text) ON "clinical_notes"."session_addenda_versions" TO clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."session_drafts" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE (assessment, objective, plan, sections, subjective, void_reason) ON "clinical_notes"."sessions_versions" TO clinical_notes;
