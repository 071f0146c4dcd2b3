CREATE TABLE "identity"."bus_erasures" (
  "therapist_id" uuid NOT NULL,
  CONSTRAINT "bus_erasures_pkey" PRIMARY KEY (therapist_id)
);

ALTER TABLE "identity"."bus_erasures" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "identity"."bus_erasures" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "identity"."bus_erasures" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

GRANT INSERT ON "identity"."bus_erasures" TO identity;

GRANT DELETE, SELECT ON "identity"."bus_erasures" TO identity_relay;
