CREATE TABLE "identity"."refill" (
  "therapist_id" uuid NOT NULL,
  "since" timestamp with time zone NOT NULL,
  "is_loss" boolean NOT NULL,
  "first" bigint NOT NULL,
  "next" bigint NOT NULL,
  "is_done" boolean DEFAULT false NOT NULL,
  "stream" text,
  "sequence" bigint,
  "event_id" uuid,
  CONSTRAINT "refill_pkey" PRIMARY KEY (therapist_id)
);

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."refill" TO identity_relay;
