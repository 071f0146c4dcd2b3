ALTER TABLE "scheduling"."events" ADD COLUMN "previous" jsonb;
