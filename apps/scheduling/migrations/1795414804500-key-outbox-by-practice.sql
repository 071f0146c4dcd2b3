ALTER TABLE "scheduling"."outbox" DROP CONSTRAINT "outbox_pkey";
ALTER TABLE "scheduling"."outbox" ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX outbox_practice_key;
