CREATE TABLE "clients"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

ALTER TABLE "clients"."deletion_marks" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "clients"."deletion_marks" AS PERMISSIVE FOR ALL TO clients USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "relay" ON "clients"."deletion_marks" AS PERMISSIVE FOR ALL TO clients_relay USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."deletion_marks" TO clients;

GRANT DELETE, SELECT ON "clients"."deletion_marks" TO clients_relay;

DROP INDEX "clients"."mirror_client_id_idx";
