import { migration } from '@practice/service';

export const ReadTables1795219200001 = migration('ReadTables1795219200001', [
  `CREATE TABLE "scheduling"."appointments" (
    "therapist_id" uuid NOT NULL,
    "id" uuid NOT NULL,
    "date" date NOT NULL,
    "start_time" TIME NOT NULL,
    "end_time" TIME NOT NULL,
    "status" text NOT NULL,
    "client_id" uuid,
    "client_name" text,
    "service_id" uuid,
    "notes" text,
    "allow_overlap" boolean NOT NULL,
    "seat" integer NOT NULL,
    "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "version" integer NOT NULL,
    "_json" text NOT NULL,
    CONSTRAINT "appointments_end_time_check" CHECK (end_time > start_time),
    CONSTRAINT "appointments_status_check" CHECK (status IN ('scheduled', 'confirmed', 'completed', 'cancelled', 'no_show')),
    CONSTRAINT "appointments_no_double_booking" EXCLUDE USING gist (therapist_id WITH =, tsrange(date + start_time, date + end_time) WITH &&, coalesce(service_id::text || '/' || (date - '2000-01-01'::date)::text || '/' || extract(epoch from start_time)::text || '/' || extract(epoch from end_time)::text, id::text) WITH <>) WHERE (status IN ('scheduled', 'confirmed') AND allow_overlap IN (false)) DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT "appointments_seat_key" EXCLUDE USING btree (therapist_id WITH =, service_id WITH =, date WITH =, start_time WITH =, end_time WITH =, seat WITH =) WHERE (status IN ('scheduled', 'confirmed') AND allow_overlap IN (false)) DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT "appointments_pkey" PRIMARY KEY ("therapist_id", "id")
  )`,
  `CREATE INDEX "appointments_date_start_time_idx" ON "scheduling"."appointments" ("therapist_id", "date", "start_time")`,
  `CREATE INDEX "appointments_client_id_date_idx" ON "scheduling"."appointments" ("therapist_id", "client_id", "date")`,
  `CREATE INDEX "appointments_service_id_idx" ON "scheduling"."appointments" ("therapist_id", "service_id")`,
  `CREATE TABLE "scheduling"."service_menu" (
    "therapist_id" uuid NOT NULL,
    "id" uuid NOT NULL,
    "name" text NOT NULL,
    "duration" integer NOT NULL,
    "price" numeric(10,2) NOT NULL,
    "capacity" integer NOT NULL,
    "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "version" integer NOT NULL,
    "_json" text NOT NULL,
    CONSTRAINT "service_menu_name_check" CHECK (btrim(name) <> ''),
    CONSTRAINT "service_menu_duration_check" CHECK (duration >= 1 AND duration <= 1440),
    CONSTRAINT "service_menu_price_check" CHECK (price >= 0),
    CONSTRAINT "service_menu_capacity_check" CHECK (capacity >= 1 AND capacity <= 500),
    CONSTRAINT "service_menu_pkey" PRIMARY KEY ("therapist_id", "id")
  )`,
  `CREATE TABLE "scheduling"."business_hours" (
    "therapist_id" uuid NOT NULL,
    "id" uuid NOT NULL,
    "day_of_week" text NOT NULL,
    "open_time" TIME NOT NULL,
    "close_time" TIME NOT NULL,
    "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "version" integer NOT NULL,
    "_json" text NOT NULL,
    CONSTRAINT "business_hours_day_of_week_open_time_key" UNIQUE ("therapist_id", "day_of_week", "open_time") DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT "business_hours_day_of_week_check" CHECK (day_of_week IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
    CONSTRAINT "business_hours_close_time_check" CHECK (close_time > open_time),
    CONSTRAINT "business_hours_no_overlap" EXCLUDE USING gist (therapist_id WITH =, day_of_week WITH =, tsrange('2000-01-01'::date + open_time, '2000-01-01'::date + close_time) WITH &&) DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT "business_hours_pkey" PRIMARY KEY ("therapist_id", "id")
  )`,
  `ALTER TABLE "scheduling"."appointments" ENABLE ROW LEVEL SECURITY`,
  `CREATE POLICY own_practice ON "scheduling"."appointments" TO "scheduling"
    USING (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))
    WITH CHECK (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON "scheduling"."appointments" TO "scheduling"`,
  `ALTER TABLE "scheduling"."service_menu" ENABLE ROW LEVEL SECURITY`,
  `CREATE POLICY own_practice ON "scheduling"."service_menu" TO "scheduling"
    USING (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))
    WITH CHECK (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON "scheduling"."service_menu" TO "scheduling"`,
  `ALTER TABLE "scheduling"."business_hours" ENABLE ROW LEVEL SECURITY`,
  `CREATE POLICY own_practice ON "scheduling"."business_hours" TO "scheduling"
    USING (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))
    WITH CHECK (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON "scheduling"."business_hours" TO "scheduling"`,
]);
