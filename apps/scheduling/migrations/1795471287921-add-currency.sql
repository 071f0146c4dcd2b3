ALTER TABLE "scheduling"."practice_settings" ADD COLUMN "currency" text NOT NULL DEFAULT 'EUR';

ALTER TABLE "scheduling"."practice_settings_versions" ADD COLUMN "currency" text NOT NULL DEFAULT 'EUR';

ALTER TABLE "scheduling"."practice_settings" ADD CONSTRAINT "practice_settings_currency_check" CHECK ((currency ~ '^[A-Z]{3}$'::text)) NOT VALID;
