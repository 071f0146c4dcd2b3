ALTER TABLE "clients"."clients" VALIDATE CONSTRAINT "clients_external_id_check";

ALTER TABLE "clients"."clients" ADD CONSTRAINT "clients_external_id_key" UNIQUE USING INDEX "clients_external_id_key" DEFERRABLE;

ALTER TABLE "clients"."clients" VALIDATE CONSTRAINT "clients_metadata_check";
