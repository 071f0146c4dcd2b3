-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "scheduling"."idempotency_old_idx";
CREATE INDEX CONCURRENTLY idempotency_old_idx ON "scheduling"."idempotency" USING btree (answered_at);
