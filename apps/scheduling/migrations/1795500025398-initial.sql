CREATE TYPE "scheduling"."uuid_range" AS RANGE (subtype = uuid);

CREATE OR REPLACE FUNCTION scheduling.end_instant(day date, starts time without time zone, ends time without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN CASE WHEN day BETWEEN '0001-01-02' AND '9999-12-30' THEN
    "scheduling".first_instant(day + ends + (("scheduling".first_instant(day + starts, zone) AT TIME ZONE zone) - (day + starts)), zone) END;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.first_instant(wall timestamp without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  earlier timestamptz := ((wall - interval '24 hours') AT TIME ZONE zone) + interval '24 hours';
BEGIN
  RETURN CASE WHEN earlier AT TIME ZONE zone = wall THEN earlier ELSE wall AT TIME ZONE zone END;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.start_instant(day date, starts time without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN CASE WHEN day BETWEEN '0001-01-02' AND '9999-12-30' THEN "scheduling".first_instant(day + starts, zone) END;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.with_instants(body text, start_member text, end_member text, day date, starts time without time zone, ends time without time zone, zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  body := regexp_replace(body, format('"%s":(null|"[^"]*")', start_member),
    format('"%s":%s', start_member, coalesce(to_json("scheduling".start_instant(day, starts, zone))::text, 'null')));
  RETURN regexp_replace(body, format('"%s":(null|"[^"]*")', end_member),
    format('"%s":%s', end_member, coalesce(to_json("scheduling".end_instant(day, starts, ends, zone))::text, 'null')));
END $function$
;

CREATE TABLE "scheduling"."appointment_series" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "rrule" text NOT NULL,
  "date" date NOT NULL,
  "start_time" time without time zone NOT NULL,
  "end_time" time without time zone NOT NULL,
  "client_id" uuid,
  "service_id" uuid,
  "practitioner_id" uuid,
  "notes" text,
  "status" text NOT NULL,
  "on_conflict" text NOT NULL,
  "skipped" date[],
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "appointment_series_end_time_check" CHECK ((end_time > start_time)),
  CONSTRAINT "appointment_series_on_conflict_check" CHECK ((on_conflict = ANY (ARRAY['reject'::text, 'skip'::text]))),
  CONSTRAINT "appointment_series_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "appointment_series_rrule_check" CHECK ((rrule ~* '(^|;)FREQ='::text)),
  CONSTRAINT "appointment_series_status_check" CHECK ((status = ANY (ARRAY['active'::text, 'ended'::text])))
);

CREATE TABLE "scheduling"."appointment_series_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "rrule" text NOT NULL,
  "date" date NOT NULL,
  "start_time" time without time zone NOT NULL,
  "end_time" time without time zone NOT NULL,
  "client_id" uuid,
  "service_id" uuid,
  "practitioner_id" uuid,
  "notes" text,
  "status" text NOT NULL,
  "on_conflict" text NOT NULL,
  "skipped" date[],
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "appointment_series_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

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
  "practitioner_id" uuid,
  "notes" text,
  "allow_overlap" boolean NOT NULL,
  "series_id" uuid,
  "series_date" date,
  "is_exception" boolean NOT NULL,
  "starts_at" timestamp with time zone,
  "ends_at" timestamp with time zone,
  "time_zone" text,
  "seat" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "appointments_end_time_check" CHECK ((end_time > start_time)),
  CONSTRAINT "appointments_no_double_booking" EXCLUDE USING gist (therapist_id WITH =, tsrange((date + start_time), (date + end_time)) WITH &&, COALESCE((((((((service_id)::text || '/'::text) || ((date - '2000-01-01'::date))::text) || '/'::text) || (EXTRACT(epoch FROM start_time))::text) || '/'::text) || (EXTRACT(epoch FROM end_time))::text), (id)::text) WITH <>, scheduling.uuid_range(practitioner_id, practitioner_id, '[]'::text) WITH &&) WHERE (((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])) AND (allow_overlap = false))) DEFERRABLE,
  CONSTRAINT "appointments_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "appointments_seat_key" EXCLUDE USING btree (therapist_id WITH =, service_id WITH =, date WITH =, start_time WITH =, end_time WITH =, seat WITH =) WHERE (((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])) AND (allow_overlap = false))) DEFERRABLE,
  CONSTRAINT "appointments_status_check" CHECK ((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text, 'completed'::text, 'cancelled'::text, 'no_show'::text])))
);

CREATE TABLE "scheduling"."appointments_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "date" date NOT NULL,
  "start_time" time without time zone NOT NULL,
  "end_time" time without time zone NOT NULL,
  "status" text NOT NULL,
  "client_id" uuid,
  "client_name" text,
  "service_id" uuid,
  "practitioner_id" uuid,
  "notes" text,
  "allow_overlap" boolean NOT NULL,
  "series_id" uuid,
  "series_date" date,
  "is_exception" boolean NOT NULL,
  "starts_at" timestamp with time zone,
  "ends_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "appointments_versions_pkey" PRIMARY KEY (therapist_id, id, version)
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

CREATE TABLE "scheduling"."business_hours_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "day_of_week" text NOT NULL,
  "open_time" time without time zone NOT NULL,
  "close_time" time without time zone NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "business_hours_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "scheduling"."practice_settings" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "time_zone" text NOT NULL,
  "currency" text NOT NULL,
  "slot_step" integer NOT NULL,
  "buffer_before" integer NOT NULL,
  "buffer_after" integer NOT NULL,
  "minimum_notice" integer NOT NULL,
  "booking_horizon" integer NOT NULL,
  "enforce_booking_rules" boolean NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "practice_settings_booking_horizon_check" CHECK (((booking_horizon >= 1) AND (booking_horizon <= 3660))),
  CONSTRAINT "practice_settings_buffer_after_check" CHECK (((buffer_after >= 0) AND (buffer_after <= 1440))),
  CONSTRAINT "practice_settings_buffer_before_check" CHECK (((buffer_before >= 0) AND (buffer_before <= 1440))),
  CONSTRAINT "practice_settings_currency_check" CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT "practice_settings_minimum_notice_check" CHECK (((minimum_notice >= 0) AND (minimum_notice <= 527040))),
  CONSTRAINT "practice_settings_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "practice_settings_slot_step_check" CHECK (((slot_step >= 5) AND (slot_step <= 1440))),
  CONSTRAINT "practice_settings_time_zone_check" CHECK ((('2000-01-01 00:00:00'::timestamp without time zone AT TIME ZONE time_zone) IS NOT NULL))
);

CREATE TABLE "scheduling"."practice_settings_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "time_zone" text NOT NULL,
  "currency" text NOT NULL,
  "slot_step" integer NOT NULL,
  "buffer_before" integer NOT NULL,
  "buffer_after" integer NOT NULL,
  "minimum_notice" integer NOT NULL,
  "booking_horizon" integer NOT NULL,
  "enforce_booking_rules" boolean NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "practice_settings_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

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

CREATE TABLE "scheduling"."service_menu_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "name" text NOT NULL,
  "duration" integer NOT NULL,
  "price" numeric(10,2) NOT NULL,
  "capacity" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "service_menu_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE INDEX appointment_series_client_id_idx ON scheduling.appointment_series USING btree (therapist_id, client_id);

CREATE INDEX appointment_series_service_id_idx ON scheduling.appointment_series USING btree (therapist_id, service_id);

CREATE INDEX appointment_series_versions_client_id_idx ON scheduling.appointment_series_versions USING btree (therapist_id, client_id);

CREATE INDEX appointment_series_versions_service_id_idx ON scheduling.appointment_series_versions USING btree (therapist_id, service_id);

CREATE INDEX appointments_client_id_date_idx ON scheduling.appointments USING btree (therapist_id, client_id, date);

CREATE INDEX appointments_date_start_time_idx ON scheduling.appointments USING btree (therapist_id, date, start_time);

CREATE INDEX appointments_series_id_idx ON scheduling.appointments USING btree (therapist_id, series_id);

CREATE INDEX appointments_service_id_idx ON scheduling.appointments USING btree (therapist_id, service_id);

CREATE INDEX appointments_versions_client_id_date_idx ON scheduling.appointments_versions USING btree (therapist_id, client_id, date);

CREATE INDEX appointments_versions_date_start_time_idx ON scheduling.appointments_versions USING btree (therapist_id, date, start_time);

CREATE INDEX appointments_versions_series_id_idx ON scheduling.appointments_versions USING btree (therapist_id, series_id);

CREATE INDEX appointments_versions_service_id_idx ON scheduling.appointments_versions USING btree (therapist_id, service_id);

ALTER TABLE "scheduling"."appointment_series" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."appointment_series_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."appointments" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."appointments_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."business_hours" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."business_hours_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."practice_settings" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."practice_settings_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."service_menu" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."service_menu_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "delete_own" ON "scheduling"."appointment_series" AS PERMISSIVE FOR DELETE TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "scheduling"."appointment_series" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "scheduling"."appointment_series" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "scheduling"."appointment_series" AS PERMISSIVE FOR UPDATE TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "scheduling"."appointment_series_versions" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "scheduling"."appointment_series_versions" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "scheduling"."appointment_series_versions" AS PERMISSIVE FOR UPDATE TO scheduling USING (
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

CREATE POLICY "delete_own" ON "scheduling"."appointments" AS PERMISSIVE FOR DELETE TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "scheduling"."appointments" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "scheduling"."appointments" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "scheduling"."appointments" AS PERMISSIVE FOR UPDATE TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "scheduling"."appointments_versions" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,therapist,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,therapist,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "scheduling"."appointments_versions" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

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

CREATE POLICY "delete_own" ON "scheduling"."business_hours" AS PERMISSIVE FOR DELETE TO scheduling USING (
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

CREATE POLICY "insert_own" ON "scheduling"."business_hours" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
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

CREATE POLICY "select_own" ON "scheduling"."business_hours" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "scheduling"."business_hours" AS PERMISSIVE FOR UPDATE TO scheduling USING (
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

CREATE POLICY "insert_own" ON "scheduling"."business_hours_versions" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
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

CREATE POLICY "select_own" ON "scheduling"."business_hours_versions" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "permitted" ON "scheduling"."events" AS RESTRICTIVE FOR INSERT TO scheduling WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'appointment_series'::text) AND (type = 'AppointmentSeriesDeleted'::text)) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN ((aggregate = 'appointment'::text) AND (type = 'AppointmentDeleted'::text)) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN ((aggregate = 'business_hours'::text) AND (type = 'BusinessHoursRemoved'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,system}'::text[]
    WHEN ((aggregate = 'booking_rules'::text) AND (type = 'BookingRulesWithdrawn'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,system}'::text[]
    WHEN ((aggregate = 'service'::text) AND (type = 'ServiceRemoved'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "scheduling"."events" AS RESTRICTIVE FOR SELECT TO scheduling USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "permitted" ON "scheduling"."personal_values" AS RESTRICTIVE FOR INSERT TO scheduling WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "scheduling"."personal_values" AS RESTRICTIVE FOR SELECT TO scheduling USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "scheduling"."practice_settings" AS PERMISSIVE FOR DELETE TO scheduling USING (
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

CREATE POLICY "insert_own" ON "scheduling"."practice_settings" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
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

CREATE POLICY "select_own" ON "scheduling"."practice_settings" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "scheduling"."practice_settings" AS PERMISSIVE FOR UPDATE TO scheduling USING (
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

CREATE POLICY "insert_own" ON "scheduling"."practice_settings_versions" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
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

CREATE POLICY "select_own" ON "scheduling"."practice_settings_versions" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "delete_own" ON "scheduling"."service_menu" AS PERMISSIVE FOR DELETE TO scheduling USING (
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

CREATE POLICY "insert_own" ON "scheduling"."service_menu" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
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

CREATE POLICY "select_own" ON "scheduling"."service_menu" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "scheduling"."service_menu" AS PERMISSIVE FOR UPDATE TO scheduling USING (
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

CREATE POLICY "insert_own" ON "scheduling"."service_menu_versions" AS PERMISSIVE FOR INSERT TO scheduling WITH CHECK (
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

CREATE POLICY "select_own" ON "scheduling"."service_menu_versions" AS PERMISSIVE FOR SELECT TO scheduling USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."appointment_series" TO scheduling;

GRANT INSERT, SELECT, UPDATE (notes) ON "scheduling"."appointment_series_versions" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."appointments" TO scheduling;

GRANT INSERT, SELECT, UPDATE (client_name, notes) ON "scheduling"."appointments_versions" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."business_hours" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."business_hours_versions" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."practice_settings" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."practice_settings_versions" TO scheduling;

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."service_menu" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."service_menu_versions" TO scheduling;
