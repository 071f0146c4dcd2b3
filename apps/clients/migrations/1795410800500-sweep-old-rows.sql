DROP INDEX "clients"."idempotency_answered_at_idx";
CREATE POLICY "old" ON "clients"."idempotency" AS PERMISSIVE FOR ALL TO clients_relay USING ((answered_at <= (now() - '24:00:00'::interval)));
GRANT DELETE, SELECT (answered_at, key, therapist_id) ON "clients"."idempotency" TO clients_relay;
