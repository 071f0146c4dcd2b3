DROP INDEX "webhooks"."idempotency_answered_at_idx";
CREATE POLICY "old" ON "webhooks"."idempotency" AS PERMISSIVE FOR ALL TO webhooks_relay USING ((answered_at <= (now() - '24:00:00'::interval)));
GRANT DELETE, SELECT (answered_at, key, therapist_id) ON "webhooks"."idempotency" TO webhooks_relay;
