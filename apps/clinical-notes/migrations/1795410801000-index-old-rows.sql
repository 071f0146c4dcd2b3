-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "clinical_notes"."idempotency_old_idx";
CREATE INDEX CONCURRENTLY idempotency_old_idx ON "clinical_notes"."idempotency" USING btree (answered_at);
