CREATE TYPE "scheduling"."uuid_range" AS RANGE (subtype = uuid);

ALTER TABLE "scheduling"."appointments" ADD COLUMN "practitioner_id" uuid;

ALTER TABLE "scheduling"."appointments" DROP CONSTRAINT "appointments_no_double_booking";

ALTER TABLE "scheduling"."appointments" ADD CONSTRAINT "appointments_no_double_booking" EXCLUDE USING gist (therapist_id WITH =, tsrange((date + start_time), (date + end_time)) WITH &&, COALESCE((((((((service_id)::text || '/'::text) || ((date - '2000-01-01'::date))::text) || '/'::text) || (EXTRACT(epoch FROM start_time))::text) || '/'::text) || (EXTRACT(epoch FROM end_time))::text), (id)::text) WITH <>, scheduling.uuid_range(practitioner_id, practitioner_id, '[]'::text) WITH &&) WHERE (((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])) AND (allow_overlap = false))) DEFERRABLE;
