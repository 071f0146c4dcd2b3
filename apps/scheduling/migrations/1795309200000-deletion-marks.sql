CREATE TABLE "scheduling"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

ALTER TABLE "scheduling"."deletion_marks" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "scheduling"."deletion_marks" AS PERMISSIVE FOR ALL TO scheduling USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "relay" ON "scheduling"."deletion_marks" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

GRANT DELETE, INSERT, SELECT, UPDATE ON "scheduling"."deletion_marks" TO scheduling;

GRANT DELETE, SELECT ON "scheduling"."deletion_marks" TO scheduling_relay;
