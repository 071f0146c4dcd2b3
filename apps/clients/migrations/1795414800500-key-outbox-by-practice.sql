ALTER TABLE "clients"."outbox" DROP CONSTRAINT "outbox_pkey";
ALTER TABLE "clients"."outbox" ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX outbox_practice_key;
