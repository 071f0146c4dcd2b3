ALTER TABLE "identity"."outbox" DROP CONSTRAINT "outbox_pkey";
ALTER TABLE "identity"."outbox" ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX outbox_practice_key;
