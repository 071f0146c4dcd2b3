CREATE TABLE "finance"."fee_rules" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "kind" text NOT NULL,
  "service_id" uuid,
  "notice_hours" integer NOT NULL,
  "amount" numeric(10,2),
  "percent" numeric(5,2) NOT NULL,
  "status" text NOT NULL,
  "ended_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "fee_rules_amount_check" CHECK ((amount >= 0.01)),
  CONSTRAINT "fee_rules_kind_check" CHECK ((kind = ANY (ARRAY['late_cancellation'::text, 'no_show'::text]))),
  CONSTRAINT "fee_rules_notice_hours_check" CHECK (((notice_hours >= 0) AND (notice_hours <= 8760))),
  CONSTRAINT "fee_rules_percent_check" CHECK (((percent >= (0)::numeric) AND (percent <= (100)::numeric))),
  CONSTRAINT "fee_rules_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "fee_rules_status_check" CHECK ((status = ANY (ARRAY['active'::text, 'ended'::text])))
);

CREATE TABLE "finance"."fee_rules_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "kind" text NOT NULL,
  "service_id" uuid,
  "notice_hours" integer NOT NULL,
  "amount" numeric(10,2),
  "percent" numeric(5,2) NOT NULL,
  "status" text NOT NULL,
  "ended_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "fee_rules_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."packages" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "service_id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "sessions" integer NOT NULL,
  "expires_on" date,
  "status" text NOT NULL,
  "used" integer NOT NULL,
  "used_by" text[],
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "packages_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "packages_sessions_check" CHECK (((sessions >= 1) AND (sessions <= 1000))),
  CONSTRAINT "packages_status_check" CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'void'::text]))),
  CONSTRAINT "packages_used_check" CHECK ((used >= 0))
);

CREATE TABLE "finance"."packages_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "service_id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "sessions" integer NOT NULL,
  "expires_on" date,
  "status" text NOT NULL,
  "used" integer NOT NULL,
  "used_by" text[],
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "packages_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

ALTER TABLE "finance"."invoice_items" ADD COLUMN "date" date;

ALTER TABLE "finance"."invoice_items_versions" ADD COLUMN "date" date;

CREATE INDEX fee_rules_kind_idx ON finance.fee_rules USING btree (therapist_id, kind);

CREATE INDEX fee_rules_versions_kind_idx ON finance.fee_rules_versions USING btree (therapist_id, kind);

CREATE INDEX packages_client_id_idx ON finance.packages USING btree (therapist_id, client_id);

CREATE INDEX packages_invoice_id_idx ON finance.packages USING btree (therapist_id, invoice_id);

CREATE INDEX packages_versions_client_id_idx ON finance.packages_versions USING btree (therapist_id, client_id);

CREATE INDEX packages_versions_invoice_id_idx ON finance.packages_versions USING btree (therapist_id, invoice_id);

ALTER TABLE "finance"."fee_rules" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."fee_rules_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."packages" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."packages_versions" ENABLE ROW LEVEL SECURITY;

DROP POLICY "permitted" ON "finance"."events";

CREATE POLICY "permitted" ON "finance"."events" AS RESTRICTIVE FOR INSERT TO finance WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'billing_settings'::text) AND (type = 'BillingSettingsWithdrawn'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'billing_settings'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'client_balance'::text) AND (type = 'ClientBalanceWithdrawn'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'client_balance'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN ((aggregate = 'credit_note'::text) AND (type = 'CreditNoteWithdrawn'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'credit_note'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'expense'::text) AND (type = 'ExpenseDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'fee_rule'::text) AND (type = 'FeeRuleDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'fee_rule'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'invoice_item'::text) AND (type = 'InvoiceItemRemoved'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'invoice_item'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'invoice'::text) AND (type = 'InvoiceDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'invoice'::text) THEN '{owner,billing,front_desk,system}'::text[]
    WHEN ((aggregate = 'package'::text) AND (type = 'PackageDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'package'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'payment_allocation'::text) AND (type = 'PaymentAllocationDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'payment_allocation'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN ((aggregate = 'payment'::text) AND (type = 'PaymentDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'payment'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN ((aggregate = 'tax'::text) AND (type = 'TaxRemoved'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'tax'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "finance"."events";

CREATE POLICY "readable" ON "finance"."events" AS RESTRICTIVE FOR SELECT TO finance USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'billing_settings'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'client_balance'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'credit_note'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'fee_rule'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'invoice_item'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'invoice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'package'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'payment_allocation'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'payment'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'tax'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "finance"."fee_rules" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."fee_rules" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."fee_rules" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."fee_rules" AS PERMISSIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."fee_rules_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."fee_rules_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "delete_own" ON "finance"."packages" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."packages" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."packages" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."packages" AS PERMISSIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."packages_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."packages_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

DROP POLICY "permitted" ON "finance"."personal_values";

CREATE POLICY "permitted" ON "finance"."personal_values" AS RESTRICTIVE FOR INSERT TO finance WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'billing_settings'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'client_balance'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'credit_note'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'fee_rule'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'invoice_item'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'invoice'::text) THEN '{owner,billing,front_desk,system}'::text[]
    WHEN (aggregate = 'package'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'payment_allocation'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'payment'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'tax'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "finance"."personal_values";

CREATE POLICY "readable" ON "finance"."personal_values" AS RESTRICTIVE FOR SELECT TO finance USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'billing_settings'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'client_balance'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'credit_note'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'expense'::text) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'fee_rule'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'invoice_item'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'invoice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'package'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'payment_allocation'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'payment'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN (aggregate = 'tax'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."fee_rules" TO finance;

GRANT INSERT, SELECT ON "finance"."fee_rules_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."packages" TO finance;

GRANT INSERT, SELECT ON "finance"."packages_versions" TO finance;
