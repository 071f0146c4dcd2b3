ALTER TABLE "scheduling"."appointments" VALIDATE CONSTRAINT "appointments_price_check";
