ALTER TABLE "scheduling"."appointments" ADD COLUMN "starts_at" timestamp with time zone;

ALTER TABLE "scheduling"."appointments" ADD COLUMN "ends_at" timestamp with time zone;

ALTER TABLE "scheduling"."appointments" ADD COLUMN "time_zone" text;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "starts_at" timestamp with time zone;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "ends_at" timestamp with time zone;
