-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "clients"."outbox_practice_key";
CREATE UNIQUE INDEX CONCURRENTLY outbox_practice_key ON "clients"."outbox" USING btree (therapist_id, "position");
DROP INDEX CONCURRENTLY IF EXISTS "clients"."outbox_id_idx";
CREATE INDEX CONCURRENTLY outbox_id_idx ON "clients"."outbox" USING btree (id);
