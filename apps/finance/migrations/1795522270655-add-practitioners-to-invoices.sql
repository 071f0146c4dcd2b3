ALTER TABLE "finance"."invoice_items" ADD COLUMN "practitioner_id" uuid;

ALTER TABLE "finance"."invoice_items_versions" ADD COLUMN "practitioner_id" uuid;

ALTER TABLE "finance"."invoices" ADD COLUMN "practitioner_ids" text[];

ALTER TABLE "finance"."invoices_versions" ADD COLUMN "practitioner_ids" text[];
