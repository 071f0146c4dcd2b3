CREATE TABLE "scheduling"."appointments" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "date" date NOT NULL,
  "start_time" time without time zone NOT NULL,
  "end_time" time without time zone NOT NULL,
  "status" text NOT NULL,
  "client_id" uuid,
  "client_name" text,
  "service_id" uuid,
  "notes" text,
  "allow_overlap" boolean NOT NULL,
  "seat" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "appointments_end_time_check" CHECK ((end_time > start_time)),
  CONSTRAINT "appointments_no_double_booking" EXCLUDE USING gist (therapist_id WITH =, tsrange((date + start_time), (date + end_time)) WITH &&, COALESCE((((((((service_id)::text || '/'::text) || ((date - '2000-01-01'::date))::text) || '/'::text) || (EXTRACT(epoch FROM start_time))::text) || '/'::text) || (EXTRACT(epoch FROM end_time))::text), (id)::text) WITH <>) WHERE (((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])) AND (allow_overlap = false))) DEFERRABLE,
  CONSTRAINT "appointments_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "appointments_seat_key" EXCLUDE USING btree (therapist_id WITH =, service_id WITH =, date WITH =, start_time WITH =, end_time WITH =, seat WITH =) WHERE (((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])) AND (allow_overlap = false))) DEFERRABLE,
  CONSTRAINT "appointments_status_check" CHECK ((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text, 'completed'::text, 'cancelled'::text, 'no_show'::text])))
);

CREATE TABLE "scheduling"."business_hours" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "day_of_week" text NOT NULL,
  "open_time" time without time zone NOT NULL,
  "close_time" time without time zone NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "business_hours_close_time_check" CHECK ((close_time > open_time)),
  CONSTRAINT "business_hours_day_of_week_check" CHECK ((day_of_week = ANY (ARRAY['monday'::text, 'tuesday'::text, 'wednesday'::text, 'thursday'::text, 'friday'::text, 'saturday'::text, 'sunday'::text]))),
  CONSTRAINT "business_hours_day_of_week_open_time_key" UNIQUE (therapist_id, day_of_week, open_time) DEFERRABLE,
  CONSTRAINT "business_hours_no_overlap" EXCLUDE USING gist (therapist_id WITH =, day_of_week WITH =, tsrange(('2000-01-01'::date + open_time), ('2000-01-01'::date + close_time)) WITH &&) DEFERRABLE,
  CONSTRAINT "business_hours_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "scheduling"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "scheduling"."events" (
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

CREATE TABLE "scheduling"."idempotency" (
  "therapist_id" uuid NOT NULL,
  "key" text NOT NULL,
  "hash" text NOT NULL,
  "status" integer NOT NULL,
  "headers" jsonb NOT NULL,
  "body" text,
  "answered_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "idempotency_pkey" PRIMARY KEY (therapist_id, key)
);

CREATE TABLE "scheduling"."mirror" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "data" jsonb,
  CONSTRAINT "mirror_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "scheduling"."outbox" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "scheduling"."practice_head" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "practice_head_pkey" PRIMARY KEY (therapist_id)
) WITH (fillfactor=50);

CREATE TABLE "scheduling"."service_menu" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "duration" integer NOT NULL,
  "price" numeric(10,2) NOT NULL,
  "capacity" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "service_menu_capacity_check" CHECK (((capacity >= 1) AND (capacity <= 500))),
  CONSTRAINT "service_menu_duration_check" CHECK (((duration >= 1) AND (duration <= 1440))),
  CONSTRAINT "service_menu_name_check" CHECK ((btrim(name) <> ''::text)),
  CONSTRAINT "service_menu_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "service_menu_price_check" CHECK ((price >= (0)::numeric))
);

CREATE INDEX appointments_client_id_date_idx ON scheduling.appointments USING btree (therapist_id, client_id, date);

CREATE INDEX appointments_date_start_time_idx ON scheduling.appointments USING btree (therapist_id, date, start_time);

CREATE INDEX appointments_service_id_idx ON scheduling.appointments USING btree (therapist_id, service_id);

CREATE INDEX idempotency_answered_at_idx ON scheduling.idempotency USING btree (therapist_id, answered_at);

ALTER TABLE "scheduling"."appointments" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."business_hours" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."deletion_marks" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."idempotency" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."mirror" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."outbox" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."practice_head" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."service_menu" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "scheduling"."appointments" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "scheduling"."business_hours" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "scheduling"."deletion_marks" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "scheduling"."deletion_marks" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

CREATE POLICY "own_practice" ON "scheduling"."events" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "scheduling"."events" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

CREATE POLICY "own_practice" ON "scheduling"."idempotency" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "scheduling"."mirror" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "scheduling"."mirror" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true) WITH CHECK (true);

CREATE POLICY "own_practice" ON "scheduling"."outbox" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "scheduling"."outbox" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

CREATE POLICY "own_practice" ON "scheduling"."practice_head" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "scheduling"."service_menu" AS PERMISSIVE FOR ALL TO scheduling USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

GRANT USAGE ON SCHEMA "scheduling" TO scheduling;

GRANT USAGE ON SCHEMA "scheduling" TO scheduling_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."appointments" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."business_hours" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."deletion_marks" TO scheduling;

GRANT DELETE, SELECT ON "scheduling"."deletion_marks" TO scheduling_relay;

GRANT INSERT, SELECT ON "scheduling"."events" TO scheduling;

GRANT SELECT ON "scheduling"."events" TO scheduling_relay;

GRANT DELETE, INSERT, SELECT ON "scheduling"."idempotency" TO scheduling;

GRANT INSERT, SELECT, UPDATE ON "scheduling"."mirror" TO scheduling;

GRANT INSERT, SELECT, UPDATE ON "scheduling"."mirror" TO scheduling_relay;

GRANT INSERT ON "scheduling"."outbox" TO scheduling;

GRANT DELETE, SELECT ON "scheduling"."outbox" TO scheduling_relay;

GRANT INSERT, SELECT, UPDATE ON "scheduling"."practice_head" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."service_menu" TO scheduling;
