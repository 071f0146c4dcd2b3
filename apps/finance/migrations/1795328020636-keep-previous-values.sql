ALTER TABLE "finance"."events" ADD COLUMN "previous" jsonb;
