-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "finance"."idempotency_old_idx";
CREATE INDEX CONCURRENTLY idempotency_old_idx ON "finance"."idempotency" USING btree (answered_at);
