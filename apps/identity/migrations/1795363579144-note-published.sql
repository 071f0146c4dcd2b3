CREATE TABLE "identity"."published" (
  "minute" timestamp with time zone NOT NULL,
  "stream" text NOT NULL,
  "sequence" bigint NOT NULL,
  "event_id" uuid NOT NULL,
  "since" timestamp with time zone NOT NULL,
  CONSTRAINT "published_pkey" PRIMARY KEY (minute, stream)
);

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."published" TO identity_relay;
