DROP INDEX "clinical_notes"."idempotency_answered_at_idx";
CREATE POLICY "old" ON "clinical_notes"."idempotency" AS PERMISSIVE FOR ALL TO clinical_notes_relay USING ((answered_at <= (now() - '24:00:00'::interval)));
GRANT DELETE, SELECT (answered_at, key, therapist_id) ON "clinical_notes"."idempotency" TO clinical_notes_relay;
