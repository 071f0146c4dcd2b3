DROP INDEX "identity"."idempotency_answered_at_idx";
CREATE POLICY "old" ON "identity"."idempotency" AS PERMISSIVE FOR ALL TO identity_relay USING ((answered_at <= (now() - '24:00:00'::interval)));
GRANT DELETE, SELECT (answered_at, key, therapist_id) ON "identity"."idempotency" TO identity_relay;
CREATE POLICY "old" ON "identity"."sessions" AS PERMISSIVE FOR DELETE TO identity_relay USING ((refreshed_at < (now() - '30 days'::interval)));
GRANT DELETE, SELECT (created_at, refreshed_at, user_id) ON "identity"."sessions" TO identity_relay;
