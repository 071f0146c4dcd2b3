ALTER TABLE "identity"."events" ADD COLUMN "previous" jsonb;
