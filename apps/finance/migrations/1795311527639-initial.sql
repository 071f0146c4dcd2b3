CREATE TABLE "finance"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "finance"."events" (
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

CREATE TABLE "finance"."expenses" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "date" date NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "category" text NOT NULL,
  "description" text,
  "vendor" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "expenses_amount_check" CHECK ((amount <> (0)::numeric)),
  CONSTRAINT "expenses_category_check" CHECK ((btrim(category) <> ''::text)),
  CONSTRAINT "expenses_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "finance"."idempotency" (
  "therapist_id" uuid NOT NULL,
  "key" text NOT NULL,
  "hash" text NOT NULL,
  "status" integer NOT NULL,
  "headers" jsonb NOT NULL,
  "body" text,
  "answered_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "idempotency_pkey" PRIMARY KEY (therapist_id, key)
);

CREATE TABLE "finance"."outbox" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "finance"."practice_head" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "practice_head_pkey" PRIMARY KEY (therapist_id)
) WITH (fillfactor=50);

CREATE INDEX expenses_date_idx ON finance.expenses USING btree (therapist_id, date);

CREATE INDEX idempotency_answered_at_idx ON finance.idempotency USING btree (therapist_id, answered_at);

ALTER TABLE "finance"."deletion_marks" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."expenses" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."idempotency" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."outbox" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."practice_head" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "finance"."deletion_marks" AS PERMISSIVE FOR ALL TO finance USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "finance"."deletion_marks" AS PERMISSIVE FOR ALL TO finance_relay USING (true);

CREATE POLICY "own_practice" ON "finance"."events" AS PERMISSIVE FOR ALL TO finance USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "finance"."events" AS PERMISSIVE FOR ALL TO finance_relay USING (true);

CREATE POLICY "own_practice" ON "finance"."expenses" AS PERMISSIVE FOR ALL TO finance USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "finance"."idempotency" AS PERMISSIVE FOR ALL TO finance USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "finance"."outbox" AS PERMISSIVE FOR ALL TO finance USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "finance"."outbox" AS PERMISSIVE FOR ALL TO finance_relay USING (true);

CREATE POLICY "own_practice" ON "finance"."practice_head" AS PERMISSIVE FOR ALL TO finance USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

GRANT USAGE ON SCHEMA "finance" TO finance;

GRANT USAGE ON SCHEMA "finance" TO finance_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."deletion_marks" TO finance;

GRANT DELETE, SELECT ON "finance"."deletion_marks" TO finance_relay;

GRANT INSERT, SELECT ON "finance"."events" TO finance;

GRANT SELECT ON "finance"."events" TO finance_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."expenses" TO finance;

GRANT DELETE, INSERT, SELECT ON "finance"."idempotency" TO finance;

GRANT INSERT ON "finance"."outbox" TO finance;

GRANT DELETE, SELECT ON "finance"."outbox" TO finance_relay;

GRANT INSERT, SELECT, UPDATE ON "finance"."practice_head" TO finance;
