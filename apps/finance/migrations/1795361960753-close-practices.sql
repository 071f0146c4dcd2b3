CREATE TABLE "finance"."mirror" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "data" jsonb,
  CONSTRAINT "mirror_pkey" PRIMARY KEY (therapist_id, resource, id)
);

ALTER TABLE "finance"."practice_head" ADD COLUMN "erase_at" timestamp with time zone;

ALTER TABLE "finance"."mirror" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "finance"."mirror" AS PERMISSIVE FOR ALL TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "finance"."mirror" AS PERMISSIVE FOR ALL TO finance_relay USING (true) WITH CHECK (true);

GRANT INSERT, SELECT, UPDATE ON "finance"."mirror" TO finance;

GRANT INSERT, SELECT, UPDATE ON "finance"."mirror" TO finance_relay;
