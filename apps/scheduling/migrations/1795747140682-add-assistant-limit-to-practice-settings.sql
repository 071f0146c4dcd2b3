ALTER TABLE "scheduling"."practice_settings" ADD COLUMN "assistant_limit" integer NOT NULL DEFAULT '5';

ALTER TABLE "scheduling"."practice_settings_versions" ADD COLUMN "assistant_limit" integer NOT NULL DEFAULT '5';

ALTER TABLE "scheduling"."practice_settings" ADD CONSTRAINT "practice_settings_assistant_limit_check" CHECK (((assistant_limit >= 1) AND (assistant_limit <= 1000))) NOT VALID;
