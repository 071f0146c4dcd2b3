-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "clients"."idempotency_old_idx";
CREATE INDEX CONCURRENTLY idempotency_old_idx ON "clients"."idempotency" USING btree (answered_at);
