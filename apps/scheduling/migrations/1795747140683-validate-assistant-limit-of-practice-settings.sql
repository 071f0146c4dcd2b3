ALTER TABLE "scheduling"."practice_settings" VALIDATE CONSTRAINT "practice_settings_assistant_limit_check";
