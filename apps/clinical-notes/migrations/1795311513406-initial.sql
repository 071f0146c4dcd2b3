CREATE TABLE "clinical_notes"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "clinical_notes"."events" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  "aggregate" text NOT NULL,
  "stream_id" uuid NOT NULL,
  "version" integer NOT NULL,
  "type" text NOT NULL,
  "schema_version" integer NOT NULL,
  "data" jsonb NOT NULL,
  "metadata" jsonb NOT NULL,
  "recorded_at" timestamp with time zone NOT NULL,
  CONSTRAINT "events_pkey" PRIMARY KEY (therapist_id, "position"),
  CONSTRAINT "events_stream_key" UNIQUE (therapist_id, stream_id, aggregate, version)
);

CREATE TABLE "clinical_notes"."idempotency" (
  "therapist_id" uuid NOT NULL,
  "key" text NOT NULL,
  "hash" text NOT NULL,
  "status" integer NOT NULL,
  "headers" jsonb NOT NULL,
  "body" text,
  "answered_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "idempotency_pkey" PRIMARY KEY (therapist_id, key)
);

CREATE TABLE "clinical_notes"."mirror" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "data" jsonb,
  CONSTRAINT "mirror_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "clinical_notes"."outbox" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "clinical_notes"."practice_head" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "practice_head_pkey" PRIMARY KEY (therapist_id)
) WITH (fillfactor=50);

CREATE TABLE "clinical_notes"."sessions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "appointment_id" uuid,
  "subjective" text,
  "objective" text,
  "assessment" text,
  "plan" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "sessions_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE INDEX idempotency_answered_at_idx ON clinical_notes.idempotency USING btree (therapist_id, answered_at);

CREATE INDEX sessions_appointment_id_idx ON clinical_notes.sessions USING btree (therapist_id, appointment_id);

CREATE INDEX sessions_client_id_created_at_idx ON clinical_notes.sessions USING btree (therapist_id, client_id, created_at);

ALTER TABLE "clinical_notes"."deletion_marks" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."idempotency" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."mirror" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."outbox" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."practice_head" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clinical_notes"."sessions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "clinical_notes"."deletion_marks" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clinical_notes"."deletion_marks" AS PERMISSIVE FOR ALL TO clinical_notes_relay USING (true);

CREATE POLICY "own_practice" ON "clinical_notes"."events" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clinical_notes"."events" AS PERMISSIVE FOR ALL TO clinical_notes_relay USING (true);

CREATE POLICY "own_practice" ON "clinical_notes"."idempotency" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "clinical_notes"."mirror" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clinical_notes"."mirror" AS PERMISSIVE FOR ALL TO clinical_notes_relay USING (true) WITH CHECK (true);

CREATE POLICY "own_practice" ON "clinical_notes"."outbox" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clinical_notes"."outbox" AS PERMISSIVE FOR ALL TO clinical_notes_relay USING (true);

CREATE POLICY "own_practice" ON "clinical_notes"."practice_head" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "clinical_notes"."sessions" AS PERMISSIVE FOR ALL TO clinical_notes USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

GRANT USAGE ON SCHEMA "clinical_notes" TO clinical_notes;

GRANT USAGE ON SCHEMA "clinical_notes" TO clinical_notes_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."deletion_marks" TO clinical_notes;

GRANT DELETE, SELECT ON "clinical_notes"."deletion_marks" TO clinical_notes_relay;

GRANT INSERT, SELECT ON "clinical_notes"."events" TO clinical_notes;

GRANT SELECT ON "clinical_notes"."events" TO clinical_notes_relay;

GRANT DELETE, INSERT, SELECT ON "clinical_notes"."idempotency" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE ON "clinical_notes"."mirror" TO clinical_notes;

GRANT INSERT, SELECT, UPDATE ON "clinical_notes"."mirror" TO clinical_notes_relay;

GRANT INSERT ON "clinical_notes"."outbox" TO clinical_notes;

GRANT DELETE, SELECT ON "clinical_notes"."outbox" TO clinical_notes_relay;

GRANT INSERT, SELECT, UPDATE ON "clinical_notes"."practice_head" TO clinical_notes;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clinical_notes"."sessions" TO clinical_notes;
