DROP INDEX "finance"."idempotency_answered_at_idx";
CREATE POLICY "old" ON "finance"."idempotency" AS PERMISSIVE FOR ALL TO finance_relay USING ((answered_at <= (now() - '24:00:00'::interval)));
GRANT DELETE, SELECT (answered_at, key, therapist_id) ON "finance"."idempotency" TO finance_relay;
