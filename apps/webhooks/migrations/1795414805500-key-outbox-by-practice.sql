ALTER TABLE "webhooks"."outbox" DROP CONSTRAINT "outbox_pkey";
ALTER TABLE "webhooks"."outbox" ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX outbox_practice_key;
