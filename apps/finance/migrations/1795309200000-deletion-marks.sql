CREATE TABLE "finance"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

ALTER TABLE "finance"."deletion_marks" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "finance"."deletion_marks" AS PERMISSIVE FOR ALL TO finance USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "relay" ON "finance"."deletion_marks" AS PERMISSIVE FOR ALL TO finance_relay USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."deletion_marks" TO finance;

GRANT DELETE, SELECT ON "finance"."deletion_marks" TO finance_relay;
