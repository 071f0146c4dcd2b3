CREATE TABLE "identity"."restorations" (
  "therapist_id" uuid NOT NULL,
  "epoch" bigint NOT NULL,
  "after" bigint NOT NULL,
  CONSTRAINT "restorations_pkey" PRIMARY KEY (therapist_id, epoch)
);

GRANT SELECT ON "identity"."restorations" TO identity_relay;
