ALTER TABLE "clients"."events" ADD COLUMN "previous" jsonb;
