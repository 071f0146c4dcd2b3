ALTER TABLE "finance"."expenses" VALIDATE CONSTRAINT "expenses_external_id_check";

ALTER TABLE "finance"."expenses" ADD CONSTRAINT "expenses_external_id_key" UNIQUE USING INDEX "expenses_external_id_key" DEFERRABLE;

ALTER TABLE "finance"."expenses" VALIDATE CONSTRAINT "expenses_metadata_check";
