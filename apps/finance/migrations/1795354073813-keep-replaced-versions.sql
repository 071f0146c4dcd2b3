CREATE TABLE "finance"."expenses_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "date" date NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "category" text NOT NULL,
  "description" text,
  "vendor" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "expenses_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE INDEX expenses_versions_date_idx ON finance.expenses_versions USING btree (therapist_id, date);

ALTER TABLE "finance"."expenses_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "insert_own" ON "finance"."expenses_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."expenses_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

GRANT INSERT, SELECT ON "finance"."expenses_versions" TO finance;
