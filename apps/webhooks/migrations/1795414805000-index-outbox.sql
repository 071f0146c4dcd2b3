-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "webhooks"."outbox_practice_key";
CREATE UNIQUE INDEX CONCURRENTLY outbox_practice_key ON "webhooks"."outbox" USING btree (therapist_id, "position");
DROP INDEX CONCURRENTLY IF EXISTS "webhooks"."outbox_id_idx";
CREATE INDEX CONCURRENTLY outbox_id_idx ON "webhooks"."outbox" USING btree (id);
