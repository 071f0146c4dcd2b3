ALTER TABLE "scheduling"."appointments" VALIDATE CONSTRAINT "appointments_external_id_check";

ALTER TABLE "scheduling"."appointments" ADD CONSTRAINT "appointments_external_id_key" UNIQUE USING INDEX "appointments_external_id_key" DEFERRABLE;

ALTER TABLE "scheduling"."appointments" VALIDATE CONSTRAINT "appointments_metadata_check";

ALTER TABLE "scheduling"."service_menu" VALIDATE CONSTRAINT "service_menu_external_id_check";

ALTER TABLE "scheduling"."service_menu" ADD CONSTRAINT "service_menu_external_id_key" UNIQUE USING INDEX "service_menu_external_id_key" DEFERRABLE;

ALTER TABLE "scheduling"."service_menu" VALIDATE CONSTRAINT "service_menu_metadata_check";
