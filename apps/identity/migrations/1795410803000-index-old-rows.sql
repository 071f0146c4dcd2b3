-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS "identity"."idempotency_old_idx";
CREATE INDEX CONCURRENTLY idempotency_old_idx ON "identity"."idempotency" USING btree (answered_at);
DROP INDEX CONCURRENTLY IF EXISTS "identity"."sessions_refreshed_at_idx";
CREATE INDEX CONCURRENTLY sessions_refreshed_at_idx ON "identity"."sessions" USING btree (refreshed_at);
