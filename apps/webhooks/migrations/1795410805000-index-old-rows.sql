-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "webhooks"."idempotency_old_idx";
CREATE INDEX CONCURRENTLY idempotency_old_idx ON "webhooks"."idempotency" USING btree (answered_at);
