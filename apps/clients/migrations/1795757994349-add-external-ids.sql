ALTER TABLE "clients"."clients" ADD COLUMN "external_id" text;

ALTER TABLE "clients"."clients" ADD COLUMN "metadata" jsonb;

ALTER TABLE "clients"."clients_versions" ADD COLUMN "external_id" text;

ALTER TABLE "clients"."clients_versions" ADD COLUMN "metadata" jsonb;

ALTER TABLE "clients"."clients" ADD CONSTRAINT "clients_external_id_check" CHECK ((btrim(external_id) <> ''::text)) NOT VALID;

ALTER TABLE "clients"."clients" ADD CONSTRAINT "clients_metadata_check" CHECK ((octet_length((metadata)::text) <= 32768)) NOT VALID;

GRANT UPDATE (external_id, metadata) ON "clients"."clients_versions" TO clients;
