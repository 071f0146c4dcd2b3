ALTER TABLE "finance"."outbox" DROP CONSTRAINT "outbox_pkey";
ALTER TABLE "finance"."outbox" ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX outbox_practice_key;
