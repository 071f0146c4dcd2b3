-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "scheduling"."outbox_practice_key";
CREATE UNIQUE INDEX CONCURRENTLY outbox_practice_key ON "scheduling"."outbox" USING btree (therapist_id, "position");
DROP INDEX CONCURRENTLY IF EXISTS "scheduling"."outbox_id_idx";
CREATE INDEX CONCURRENTLY outbox_id_idx ON "scheduling"."outbox" USING btree (id);
