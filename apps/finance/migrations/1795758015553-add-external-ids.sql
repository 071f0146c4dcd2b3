ALTER TABLE "finance"."expenses" ADD COLUMN "external_id" text;

ALTER TABLE "finance"."expenses" ADD COLUMN "metadata" jsonb;

ALTER TABLE "finance"."expenses_versions" ADD COLUMN "external_id" text;

ALTER TABLE "finance"."expenses_versions" ADD COLUMN "metadata" jsonb;

ALTER TABLE "finance"."expenses" ADD CONSTRAINT "expenses_external_id_check" CHECK ((btrim(external_id) <> ''::text)) NOT VALID;

ALTER TABLE "finance"."expenses" ADD CONSTRAINT "expenses_metadata_check" CHECK ((octet_length((metadata)::text) <= 32768)) NOT VALID;
