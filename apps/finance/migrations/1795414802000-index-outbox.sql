-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "finance"."outbox_practice_key";
CREATE UNIQUE INDEX CONCURRENTLY outbox_practice_key ON "finance"."outbox" USING btree (therapist_id, "position");
DROP INDEX CONCURRENTLY IF EXISTS "finance"."outbox_id_idx";
CREATE INDEX CONCURRENTLY outbox_id_idx ON "finance"."outbox" USING btree (id);
