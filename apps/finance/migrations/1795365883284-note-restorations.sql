CREATE TABLE "finance"."followed" (
  "subscription" text NOT NULL,
  "stream" text NOT NULL,
  "sequence" bigint NOT NULL,
  CONSTRAINT "followed_pkey" PRIMARY KEY (subscription)
);

CREATE TABLE "finance"."restorations" (
  "therapist_id" uuid NOT NULL,
  "epoch" bigint NOT NULL,
  "after" bigint NOT NULL,
  CONSTRAINT "restorations_pkey" PRIMARY KEY (therapist_id, epoch)
);

GRANT INSERT, SELECT, UPDATE ON "finance"."followed" TO finance_relay;

GRANT SELECT ON "finance"."restorations" TO finance_relay;
