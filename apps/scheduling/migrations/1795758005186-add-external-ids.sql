ALTER TABLE "scheduling"."appointments" ADD COLUMN "external_id" text;

ALTER TABLE "scheduling"."appointments" ADD COLUMN "metadata" jsonb;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "external_id" text;

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "metadata" jsonb;

ALTER TABLE "scheduling"."service_menu" ADD COLUMN "external_id" text;

ALTER TABLE "scheduling"."service_menu" ADD COLUMN "metadata" jsonb;

ALTER TABLE "scheduling"."service_menu_versions" ADD COLUMN "external_id" text;

ALTER TABLE "scheduling"."service_menu_versions" ADD COLUMN "metadata" jsonb;

ALTER TABLE "scheduling"."appointments" ADD CONSTRAINT "appointments_external_id_check" CHECK ((btrim(external_id) <> ''::text)) NOT VALID;

ALTER TABLE "scheduling"."appointments" ADD CONSTRAINT "appointments_metadata_check" CHECK ((octet_length((metadata)::text) <= 32768)) NOT VALID;

ALTER TABLE "scheduling"."service_menu" ADD CONSTRAINT "service_menu_external_id_check" CHECK ((btrim(external_id) <> ''::text)) NOT VALID;

ALTER TABLE "scheduling"."service_menu" ADD CONSTRAINT "service_menu_metadata_check" CHECK ((octet_length((metadata)::text) <= 32768)) NOT VALID;

GRANT UPDATE (external_id, metadata) ON "scheduling"."appointments_versions" TO scheduling;
