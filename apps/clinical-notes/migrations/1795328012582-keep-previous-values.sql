ALTER TABLE "clinical_notes"."events" ADD COLUMN "previous" jsonb;
