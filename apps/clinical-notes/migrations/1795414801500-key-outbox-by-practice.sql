ALTER TABLE "clinical_notes"."outbox" DROP CONSTRAINT "outbox_pkey";
ALTER TABLE "clinical_notes"."outbox" ADD CONSTRAINT "outbox_pkey" PRIMARY KEY USING INDEX outbox_practice_key;
