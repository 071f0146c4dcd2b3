CREATE TABLE "scheduling"."followed" (
  "subscription" text NOT NULL,
  "stream" text NOT NULL,
  "sequence" bigint NOT NULL,
  CONSTRAINT "followed_pkey" PRIMARY KEY (subscription)
);

CREATE TABLE "scheduling"."restorations" (
  "therapist_id" uuid NOT NULL,
  "epoch" bigint NOT NULL,
  "after" bigint NOT NULL,
  CONSTRAINT "restorations_pkey" PRIMARY KEY (therapist_id, epoch)
);

GRANT INSERT, SELECT, UPDATE ON "scheduling"."followed" TO scheduling_relay;

GRANT SELECT ON "scheduling"."restorations" TO scheduling_relay;
