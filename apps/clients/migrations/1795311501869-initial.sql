CREATE TABLE "clients"."clients" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "email" text,
  "phone" text,
  "status" text NOT NULL,
  "total_visits" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "clients_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "clients_name_check" CHECK ((btrim(name) <> ''::text)),
  CONSTRAINT "clients_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "clients_status_check" CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'archived'::text]))),
  CONSTRAINT "clients_total_visits_check" CHECK ((total_visits >= 0))
);

CREATE TABLE "clients"."conversation_log" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "role" text NOT NULL,
  "channel" text NOT NULL,
  "content" text NOT NULL,
  "metadata" jsonb NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "conversation_log_channel_check" CHECK ((channel = ANY (ARRAY['chat'::text, 'email'::text, 'sms'::text, 'phone'::text, 'note'::text]))),
  CONSTRAINT "conversation_log_content_check" CHECK ((btrim(content) <> ''::text)),
  CONSTRAINT "conversation_log_metadata_check" CHECK ((octet_length((metadata)::text) <= 32768)),
  CONSTRAINT "conversation_log_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "conversation_log_role_check" CHECK ((role = ANY (ARRAY['client'::text, 'therapist'::text, 'assistant'::text, 'system'::text])))
);

CREATE TABLE "clients"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "clients"."events" (
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

CREATE TABLE "clients"."idempotency" (
  "therapist_id" uuid NOT NULL,
  "key" text NOT NULL,
  "hash" text NOT NULL,
  "status" integer NOT NULL,
  "headers" jsonb NOT NULL,
  "body" text,
  "answered_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "idempotency_pkey" PRIMARY KEY (therapist_id, key)
);

CREATE TABLE "clients"."mirror" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "data" jsonb,
  CONSTRAINT "mirror_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "clients"."outbox" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "clients"."practice_head" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "practice_head_pkey" PRIMARY KEY (therapist_id)
) WITH (fillfactor=50);

CREATE INDEX clients_name_idx ON clients.clients USING btree (therapist_id, name);

CREATE INDEX conversation_log_client_id_created_at_idx ON clients.conversation_log USING btree (therapist_id, client_id, created_at);

CREATE INDEX idempotency_answered_at_idx ON clients.idempotency USING btree (therapist_id, answered_at);

ALTER TABLE "clients"."clients" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."conversation_log" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."deletion_marks" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."idempotency" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."mirror" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."outbox" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."practice_head" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "clients"."clients" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "clients"."conversation_log" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "clients"."deletion_marks" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clients"."deletion_marks" AS PERMISSIVE FOR ALL TO clients_relay USING (true);

CREATE POLICY "own_practice" ON "clients"."events" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clients"."events" AS PERMISSIVE FOR ALL TO clients_relay USING (true);

CREATE POLICY "own_practice" ON "clients"."idempotency" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "clients"."mirror" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clients"."mirror" AS PERMISSIVE FOR ALL TO clients_relay USING (true) WITH CHECK (true);

CREATE POLICY "own_practice" ON "clients"."outbox" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "clients"."outbox" AS PERMISSIVE FOR ALL TO clients_relay USING (true);

CREATE POLICY "own_practice" ON "clients"."practice_head" AS PERMISSIVE FOR ALL TO clients USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

GRANT USAGE ON SCHEMA "clients" TO clients;

GRANT USAGE ON SCHEMA "clients" TO clients_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."clients" TO clients;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."conversation_log" TO clients;

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."deletion_marks" TO clients;

GRANT DELETE, SELECT ON "clients"."deletion_marks" TO clients_relay;

GRANT INSERT, SELECT ON "clients"."events" TO clients;

GRANT SELECT ON "clients"."events" TO clients_relay;

GRANT DELETE, INSERT, SELECT ON "clients"."idempotency" TO clients;

GRANT INSERT, SELECT, UPDATE ON "clients"."mirror" TO clients;

GRANT INSERT, SELECT, UPDATE ON "clients"."mirror" TO clients_relay;

GRANT INSERT ON "clients"."outbox" TO clients;

GRANT DELETE, SELECT ON "clients"."outbox" TO clients_relay;

GRANT INSERT, SELECT, UPDATE ON "clients"."practice_head" TO clients;
