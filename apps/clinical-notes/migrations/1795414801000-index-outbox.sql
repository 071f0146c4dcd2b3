-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "clinical_notes"."outbox_practice_key";
CREATE UNIQUE INDEX CONCURRENTLY outbox_practice_key ON "clinical_notes"."outbox" USING btree (therapist_id, "position");
DROP INDEX CONCURRENTLY IF EXISTS "clinical_notes"."outbox_id_idx";
CREATE INDEX CONCURRENTLY outbox_id_idx ON "clinical_notes"."outbox" USING btree (id);
