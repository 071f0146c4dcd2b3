CREATE TABLE "finance"."expenses" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "date" date NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "category" text NOT NULL,
  "description" text,
  "vendor" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "expenses_amount_check" CHECK ((amount <> (0)::numeric)),
  CONSTRAINT "expenses_category_check" CHECK ((btrim(category) <> ''::text)),
  CONSTRAINT "expenses_pkey" PRIMARY KEY (therapist_id, id)
);

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

CREATE INDEX expenses_date_idx ON finance.expenses USING btree (therapist_id, date);

CREATE INDEX expenses_versions_date_idx ON finance.expenses_versions USING btree (therapist_id, date);

ALTER TABLE "finance"."expenses" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."expenses_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "permitted" ON "finance"."events" AS RESTRICTIVE FOR INSERT TO finance WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'expense'::text) AND (type = 'ExpenseDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "finance"."events" AS RESTRICTIVE FOR SELECT TO finance USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "finance"."expenses" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."expenses" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."expenses" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."expenses" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "permitted" ON "finance"."personal_values" AS RESTRICTIVE FOR INSERT TO finance WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "finance"."personal_values" AS RESTRICTIVE FOR SELECT TO finance USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."expenses" TO finance;

GRANT INSERT, SELECT ON "finance"."expenses_versions" TO finance;
