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

ALTER TABLE "scheduling"."appointments" ADD COLUMN "series_id" uuid;

ALTER TABLE "scheduling"."appointments" ADD COLUMN "series_date" date;

ALTER TABLE "scheduling"."appointments" ADD COLUMN "is_exception" boolean NOT NULL DEFAULT 'false';
ALTER TABLE "scheduling"."appointments" ALTER COLUMN "is_exception" DROP DEFAULT;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "series_id" uuid;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "series_date" date;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "is_exception" boolean NOT NULL DEFAULT 'false';
ALTER TABLE "scheduling"."appointments_versions" ALTER COLUMN "is_exception" DROP DEFAULT;

CREATE INDEX appointment_series_client_id_idx ON scheduling.appointment_series USING btree (therapist_id, client_id);

CREATE INDEX appointment_series_service_id_idx ON scheduling.appointment_series USING btree (therapist_id, service_id);

CREATE INDEX appointment_series_versions_client_id_idx ON scheduling.appointment_series_versions USING btree (therapist_id, client_id);

CREATE INDEX appointment_series_versions_service_id_idx ON scheduling.appointment_series_versions USING btree (therapist_id, service_id);

CREATE INDEX appointments_series_id_idx ON scheduling.appointments USING btree (therapist_id, series_id);

CREATE INDEX appointments_versions_series_id_idx ON scheduling.appointments_versions USING btree (therapist_id, series_id);

ALTER TABLE "scheduling"."appointment_series" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."appointment_series_versions" ENABLE ROW LEVEL SECURITY;

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

DROP POLICY "permitted" ON "scheduling"."events";

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

DROP POLICY "readable" ON "scheduling"."events";

CREATE POLICY "readable" ON "scheduling"."events" AS RESTRICTIVE FOR SELECT TO scheduling USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "permitted" ON "scheduling"."personal_values";

CREATE POLICY "permitted" ON "scheduling"."personal_values" AS RESTRICTIVE FOR INSERT TO scheduling WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "scheduling"."personal_values";

CREATE POLICY "readable" ON "scheduling"."personal_values" AS RESTRICTIVE FOR SELECT TO scheduling USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'appointment_series'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."appointment_series" TO scheduling;

GRANT INSERT, SELECT, UPDATE (notes) ON "scheduling"."appointment_series_versions" TO scheduling;
