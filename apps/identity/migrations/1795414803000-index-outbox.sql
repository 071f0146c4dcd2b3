-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "identity"."outbox_practice_key";
CREATE UNIQUE INDEX CONCURRENTLY outbox_practice_key ON "identity"."outbox" USING btree (therapist_id, "position");
DROP INDEX CONCURRENTLY IF EXISTS "identity"."outbox_id_idx";
CREATE INDEX CONCURRENTLY outbox_id_idx ON "identity"."outbox" USING btree (id);
