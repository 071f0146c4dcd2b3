ALTER TABLE "clinical_notes"."sessions" VALIDATE CONSTRAINT "sessions_format_check";

ALTER TABLE "clinical_notes"."sessions" VALIDATE CONSTRAINT "sessions_sections_check";

ALTER TABLE "clinical_notes"."sessions" VALIDATE CONSTRAINT "sessions_signed_meaning_check";

ALTER TABLE "clinical_notes"."sessions" VALIDATE CONSTRAINT "sessions_status_check";
