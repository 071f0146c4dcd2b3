ALTER TABLE "clinical_notes"."access_log" ADD COLUMN "break_glass_id" uuid;

CREATE INDEX access_log_break_glass_idx ON clinical_notes.access_log USING btree (therapist_id, break_glass_id) WHERE (break_glass_id IS NOT NULL);
