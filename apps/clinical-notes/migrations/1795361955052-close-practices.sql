ALTER TABLE "clinical_notes"."practice_head" ADD COLUMN "erase_at" timestamp with time zone;
