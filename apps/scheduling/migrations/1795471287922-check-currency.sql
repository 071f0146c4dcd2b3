ALTER TABLE "scheduling"."practice_settings" VALIDATE CONSTRAINT "practice_settings_currency_check";
