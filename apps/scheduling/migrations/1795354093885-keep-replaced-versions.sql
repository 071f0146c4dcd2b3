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
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "appointments_versions_pkey" PRIMARY KEY (therapist_id, id, version)
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

CREATE INDEX appointments_versions_client_id_date_idx ON scheduling.appointments_versions USING btree (therapist_id, client_id, date);

CREATE INDEX appointments_versions_date_start_time_idx ON scheduling.appointments_versions USING btree (therapist_id, date, start_time);

CREATE INDEX appointments_versions_service_id_idx ON scheduling.appointments_versions USING btree (therapist_id, service_id);

ALTER TABLE "scheduling"."appointments_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."business_hours_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "scheduling"."service_menu_versions" ENABLE ROW LEVEL SECURITY;

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

GRANT INSERT, SELECT ON "scheduling"."appointments_versions" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."business_hours_versions" TO scheduling;

GRANT INSERT, SELECT ON "scheduling"."service_menu_versions" TO scheduling;
