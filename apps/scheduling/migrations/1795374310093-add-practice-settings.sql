CREATE TABLE "scheduling"."practice_settings" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "time_zone" text NOT NULL,
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

ALTER TABLE "scheduling"."practice_settings" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."practice_settings_versions" ENABLE ROW LEVEL SECURITY;

DROP POLICY "permitted" ON "scheduling"."events";

CREATE POLICY "permitted" ON "scheduling"."events" AS RESTRICTIVE FOR INSERT TO scheduling WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
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
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "permitted" ON "scheduling"."personal_values";

CREATE POLICY "permitted" ON "scheduling"."personal_values" AS RESTRICTIVE FOR INSERT TO scheduling WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'appointment'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'business_hours'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'booking_rules'::text) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'service'::text) THEN '{owner,therapist,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "scheduling"."personal_values";

CREATE POLICY "readable" ON "scheduling"."personal_values" AS RESTRICTIVE FOR SELECT TO scheduling USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
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

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."practice_settings" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."practice_settings_versions" TO scheduling;
