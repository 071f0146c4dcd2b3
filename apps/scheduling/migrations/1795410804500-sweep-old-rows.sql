DROP INDEX "scheduling"."idempotency_answered_at_idx";
CREATE POLICY "old" ON "scheduling"."idempotency" AS PERMISSIVE FOR ALL TO scheduling_relay USING ((answered_at <= (now() - '24:00:00'::interval)));
GRANT DELETE, SELECT (answered_at, key, therapist_id) ON "scheduling"."idempotency" TO scheduling_relay;
