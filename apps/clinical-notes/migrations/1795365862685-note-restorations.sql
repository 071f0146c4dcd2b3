CREATE TABLE "clinical_notes"."followed" (
  "subscription" text NOT NULL,
  "stream" text NOT NULL,
  "sequence" bigint NOT NULL,
  CONSTRAINT "followed_pkey" PRIMARY KEY (subscription)
);

CREATE TABLE "clinical_notes"."restorations" (
  "therapist_id" uuid NOT NULL,
  "epoch" bigint NOT NULL,
  "after" bigint NOT NULL,
  CONSTRAINT "restorations_pkey" PRIMARY KEY (therapist_id, epoch)
);

GRANT INSERT, SELECT, UPDATE ON "clinical_notes"."followed" TO clinical_notes_relay;

GRANT SELECT ON "clinical_notes"."restorations" TO clinical_notes_relay;
