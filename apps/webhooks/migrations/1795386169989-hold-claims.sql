ALTER TABLE "webhooks"."webhook_progress" ADD COLUMN "holder" uuid;

REVOKE ALL ON "webhooks"."webhook_progress" FROM webhooks_relay;

GRANT DELETE, SELECT (failures, holder, id, is_active, lease, leased_until, news, next_attempt_at, ping_id, seen, therapist_id), UPDATE (holder, lease, leased_until, news) ON "webhooks"."webhook_progress" TO webhooks_relay;
