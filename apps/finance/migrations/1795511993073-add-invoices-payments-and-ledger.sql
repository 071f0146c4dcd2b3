CREATE TABLE "finance"."billing_settings" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "invoice_prefix" text NOT NULL,
  "credit_note_prefix" text NOT NULL,
  "default_tax_id" uuid,
  "payment_days" integer NOT NULL,
  "next_invoice_number" integer NOT NULL,
  "next_credit_note_number" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "billing_settings_credit_note_prefix_check" CHECK ((btrim(credit_note_prefix) <> ''::text)),
  CONSTRAINT "billing_settings_invoice_prefix_check" CHECK ((btrim(invoice_prefix) <> ''::text)),
  CONSTRAINT "billing_settings_next_credit_note_number_check" CHECK ((next_credit_note_number >= 1)),
  CONSTRAINT "billing_settings_next_invoice_number_check" CHECK ((next_invoice_number >= 1)),
  CONSTRAINT "billing_settings_payment_days_check" CHECK (((payment_days >= 0) AND (payment_days <= 365))),
  CONSTRAINT "billing_settings_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "finance"."billing_settings_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "invoice_prefix" text NOT NULL,
  "credit_note_prefix" text NOT NULL,
  "default_tax_id" uuid,
  "payment_days" integer NOT NULL,
  "next_invoice_number" integer NOT NULL,
  "next_credit_note_number" integer NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "billing_settings_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."client_balances" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "receivable" numeric(14,2) NOT NULL,
  "credit" numeric(14,2) NOT NULL,
  "balance" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "client_balances_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "finance"."client_balances_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "receivable" numeric(14,2) NOT NULL,
  "credit" numeric(14,2) NOT NULL,
  "balance" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "client_balances_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."credit_notes" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "number" text,
  "date" date NOT NULL,
  "reason" text,
  "total" numeric(12,2) NOT NULL,
  "subtotal" numeric(14,2) NOT NULL,
  "tax_total" numeric(14,2) NOT NULL,
  "applied" numeric(14,2) NOT NULL,
  "credited" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "credit_notes_number_key" UNIQUE (therapist_id, number) DEFERRABLE,
  CONSTRAINT "credit_notes_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "credit_notes_reason_check" CHECK ((btrim(reason) <> ''::text)),
  CONSTRAINT "credit_notes_total_check" CHECK ((total >= 0.01))
);

CREATE TABLE "finance"."credit_notes_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "invoice_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "number" text,
  "date" date NOT NULL,
  "reason" text,
  "total" numeric(12,2) NOT NULL,
  "subtotal" numeric(14,2) NOT NULL,
  "tax_total" numeric(14,2) NOT NULL,
  "applied" numeric(14,2) NOT NULL,
  "credited" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "credit_notes_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

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

CREATE TABLE "finance"."invoice_items" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "appointment_id" uuid,
  "practitioner_id" uuid,
  "service_id" uuid,
  "description" text,
  "date" date,
  "quantity" numeric(10,2) NOT NULL,
  "unit_price" numeric(10,2) NOT NULL,
  "tax_id" uuid,
  "tax_rate" numeric(6,3) NOT NULL,
  "amount" numeric(14,2) NOT NULL,
  "tax_amount" numeric(14,2) NOT NULL,
  "total" numeric(14,2) NOT NULL,
  "voided" boolean NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "invoice_items_appointment_key" EXCLUDE USING btree (therapist_id WITH =, appointment_id WITH =) WHERE ((voided = false)) DEFERRABLE,
  CONSTRAINT "invoice_items_description_check" CHECK ((btrim(description) <> ''::text)),
  CONSTRAINT "invoice_items_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "invoice_items_quantity_check" CHECK ((quantity <> (0)::numeric))
);

CREATE TABLE "finance"."invoice_items_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "invoice_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "appointment_id" uuid,
  "practitioner_id" uuid,
  "service_id" uuid,
  "description" text,
  "date" date,
  "quantity" numeric(10,2) NOT NULL,
  "unit_price" numeric(10,2) NOT NULL,
  "tax_id" uuid,
  "tax_rate" numeric(6,3) NOT NULL,
  "amount" numeric(14,2) NOT NULL,
  "tax_amount" numeric(14,2) NOT NULL,
  "total" numeric(14,2) NOT NULL,
  "voided" boolean NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "invoice_items_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."invoices" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "status" text NOT NULL,
  "number" text,
  "issued_on" date,
  "due_on" date,
  "memo" text,
  "practitioner_ids" text[],
  "subtotal" numeric(14,2) NOT NULL,
  "tax_total" numeric(14,2) NOT NULL,
  "total" numeric(14,2) NOT NULL,
  "amount_paid" numeric(14,2) NOT NULL,
  "amount_credited" numeric(14,2) NOT NULL,
  "amount_due" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "invoices_number_key" UNIQUE (therapist_id, number) DEFERRABLE,
  CONSTRAINT "invoices_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "invoices_status_check" CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'void'::text, 'uncollectible'::text])))
);

CREATE TABLE "finance"."invoices_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "status" text NOT NULL,
  "number" text,
  "issued_on" date,
  "due_on" date,
  "memo" text,
  "practitioner_ids" text[],
  "subtotal" numeric(14,2) NOT NULL,
  "tax_total" numeric(14,2) NOT NULL,
  "total" numeric(14,2) NOT NULL,
  "amount_paid" numeric(14,2) NOT NULL,
  "amount_credited" numeric(14,2) NOT NULL,
  "amount_due" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "invoices_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."ledger_entries" (
  "id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "position" bigint NOT NULL,
  "event" text NOT NULL,
  "resource" text NOT NULL,
  "record_id" uuid NOT NULL,
  "client_id" uuid,
  "date" date NOT NULL,
  "month" text NOT NULL,
  "account" text NOT NULL,
  "debit" numeric(14,2) NOT NULL,
  "credit" numeric(14,2) NOT NULL,
  CONSTRAINT "ledger_entries_pkey" PRIMARY KEY (therapist_id, id)
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

CREATE TABLE "finance"."payment_allocations" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "payment_id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "payment_allocations_amount_check" CHECK ((amount >= 0.01)),
  CONSTRAINT "payment_allocations_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "finance"."payment_allocations_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "payment_id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "payment_allocations_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."payments" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "date" date NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "method" text NOT NULL,
  "external_id" text,
  "note" text,
  "allocated" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "payments_amount_check" CHECK ((amount <> (0)::numeric)),
  CONSTRAINT "payments_external_id_key" UNIQUE (therapist_id, external_id) DEFERRABLE,
  CONSTRAINT "payments_method_check" CHECK ((method = ANY (ARRAY['cash'::text, 'card'::text, 'transfer'::text, 'other'::text]))),
  CONSTRAINT "payments_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "finance"."payments_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "date" date NOT NULL,
  "amount" numeric(12,2) NOT NULL,
  "method" text NOT NULL,
  "external_id" text,
  "note" text,
  "allocated" numeric(14,2) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "payments_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "finance"."taxes" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "rate" numeric(6,3) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "taxes_name_check" CHECK ((btrim(name) <> ''::text)),
  CONSTRAINT "taxes_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "taxes_rate_check" CHECK (((rate >= (0)::numeric) AND (rate <= (100)::numeric)))
);

CREATE TABLE "finance"."taxes_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "name" text NOT NULL,
  "rate" numeric(6,3) NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "taxes_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE INDEX client_balances_client_id_idx ON finance.client_balances USING btree (therapist_id, client_id);

CREATE INDEX client_balances_versions_client_id_idx ON finance.client_balances_versions USING btree (therapist_id, client_id);

CREATE INDEX credit_notes_client_id_idx ON finance.credit_notes USING btree (therapist_id, client_id);

CREATE INDEX credit_notes_invoice_id_idx ON finance.credit_notes USING btree (therapist_id, invoice_id);

CREATE INDEX credit_notes_versions_client_id_idx ON finance.credit_notes_versions USING btree (therapist_id, client_id);

CREATE INDEX credit_notes_versions_invoice_id_idx ON finance.credit_notes_versions USING btree (therapist_id, invoice_id);

CREATE INDEX fee_rules_kind_idx ON finance.fee_rules USING btree (therapist_id, kind);

CREATE INDEX fee_rules_versions_kind_idx ON finance.fee_rules_versions USING btree (therapist_id, kind);

CREATE INDEX invoice_items_appointment_id_idx ON finance.invoice_items USING btree (therapist_id, appointment_id);

CREATE INDEX invoice_items_client_id_idx ON finance.invoice_items USING btree (therapist_id, client_id);

CREATE INDEX invoice_items_invoice_id_idx ON finance.invoice_items USING btree (therapist_id, invoice_id);

CREATE INDEX invoice_items_versions_appointment_id_idx ON finance.invoice_items_versions USING btree (therapist_id, appointment_id);

CREATE INDEX invoice_items_versions_client_id_idx ON finance.invoice_items_versions USING btree (therapist_id, client_id);

CREATE INDEX invoice_items_versions_invoice_id_idx ON finance.invoice_items_versions USING btree (therapist_id, invoice_id);

CREATE INDEX invoices_client_id_idx ON finance.invoices USING btree (therapist_id, client_id);

CREATE INDEX invoices_issued_on_idx ON finance.invoices USING btree (therapist_id, issued_on);

CREATE INDEX invoices_status_idx ON finance.invoices USING btree (therapist_id, status);

CREATE INDEX invoices_versions_client_id_idx ON finance.invoices_versions USING btree (therapist_id, client_id);

CREATE INDEX invoices_versions_issued_on_idx ON finance.invoices_versions USING btree (therapist_id, issued_on);

CREATE INDEX invoices_versions_status_idx ON finance.invoices_versions USING btree (therapist_id, status);

CREATE INDEX ledger_entries_account_idx ON finance.ledger_entries USING btree (therapist_id, account, at) INCLUDE (debit, credit);

CREATE INDEX ledger_entries_client_idx ON finance.ledger_entries USING btree (therapist_id, client_id);

CREATE INDEX ledger_entries_date_idx ON finance.ledger_entries USING btree (therapist_id, date);

CREATE INDEX ledger_entries_record_idx ON finance.ledger_entries USING btree (therapist_id, record_id);

CREATE INDEX packages_client_id_idx ON finance.packages USING btree (therapist_id, client_id);

CREATE INDEX packages_invoice_id_idx ON finance.packages USING btree (therapist_id, invoice_id);

CREATE INDEX packages_versions_client_id_idx ON finance.packages_versions USING btree (therapist_id, client_id);

CREATE INDEX packages_versions_invoice_id_idx ON finance.packages_versions USING btree (therapist_id, invoice_id);

CREATE INDEX payment_allocations_client_id_idx ON finance.payment_allocations USING btree (therapist_id, client_id);

CREATE INDEX payment_allocations_invoice_id_idx ON finance.payment_allocations USING btree (therapist_id, invoice_id);

CREATE INDEX payment_allocations_payment_id_idx ON finance.payment_allocations USING btree (therapist_id, payment_id);

CREATE INDEX payment_allocations_versions_client_id_idx ON finance.payment_allocations_versions USING btree (therapist_id, client_id);

CREATE INDEX payment_allocations_versions_invoice_id_idx ON finance.payment_allocations_versions USING btree (therapist_id, invoice_id);

CREATE INDEX payment_allocations_versions_payment_id_idx ON finance.payment_allocations_versions USING btree (therapist_id, payment_id);

CREATE INDEX payments_client_id_date_idx ON finance.payments USING btree (therapist_id, client_id, date);

CREATE INDEX payments_date_idx ON finance.payments USING btree (therapist_id, date);

CREATE INDEX payments_versions_client_id_date_idx ON finance.payments_versions USING btree (therapist_id, client_id, date);

CREATE INDEX payments_versions_date_idx ON finance.payments_versions USING btree (therapist_id, date);

ALTER TABLE "finance"."billing_settings" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."billing_settings_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."client_balances" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."client_balances_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."credit_notes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."credit_notes_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."fee_rules" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."fee_rules_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."invoice_items" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."invoice_items_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."invoices" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."invoices_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."ledger_entries" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."packages" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."packages_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."payment_allocations" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."payment_allocations_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."payments" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."payments_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."taxes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "finance"."taxes_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "delete_own" ON "finance"."billing_settings" AS PERMISSIVE FOR DELETE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."billing_settings" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."billing_settings" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."billing_settings" AS PERMISSIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."billing_settings_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."billing_settings_versions" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "delete_own" ON "finance"."client_balances" AS PERMISSIVE FOR DELETE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."client_balances" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."client_balances" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."client_balances" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."client_balances_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."client_balances_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "delete_own" ON "finance"."credit_notes" AS PERMISSIVE FOR DELETE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."credit_notes" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."credit_notes" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."credit_notes" AS PERMISSIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."credit_notes_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."credit_notes_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."credit_notes_versions" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

DROP POLICY "permitted" ON "finance"."events";

CREATE POLICY "permitted" ON "finance"."events" AS RESTRICTIVE FOR INSERT TO finance WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'billing_settings'::text) AND (type = 'BillingSettingsWithdrawn'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'billing_settings'::text) THEN '{owner,billing,system}'::text[]
    WHEN ((aggregate = 'client_balance'::text) AND (type = 'ClientBalanceSettled'::text)) THEN '{owner,front_desk,billing,system}'::text[]
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
    WHEN ((aggregate = 'payment_allocation'::text) AND (type = 'PaymentAllocationDeleted'::text)) THEN '{owner,front_desk,billing,system}'::text[]
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

CREATE POLICY "delete_own" ON "finance"."invoice_items" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."invoice_items" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."invoice_items" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."invoice_items" AS PERMISSIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."invoice_items_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."invoice_items_versions" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."invoice_items_versions" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

CREATE POLICY "delete_own" ON "finance"."invoices" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."invoices" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."invoices" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."invoices" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,front_desk,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."invoices_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,front_desk,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,front_desk,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."invoices_versions" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."invoices_versions" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."ledger_entries" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,billing,system,front_desk}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,billing,system,front_desk}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."ledger_entries" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "delete_own" ON "finance"."payment_allocations" AS PERMISSIVE FOR DELETE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."payment_allocations" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."payment_allocations" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."payment_allocations" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."payment_allocations_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."payment_allocations_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "delete_own" ON "finance"."payments" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."payments" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."payments" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."payments" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "insert_own" ON "finance"."payments_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,front_desk,billing,system}'::text[])))::uuid[]))
END);

CREATE POLICY "select_own" ON "finance"."payments_versions" AS PERMISSIVE FOR SELECT TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,front_desk,billing,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "finance"."payments_versions" AS PERMISSIVE FOR UPDATE TO finance USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{system}'::text[])))::uuid[]))
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

CREATE POLICY "delete_own" ON "finance"."taxes" AS PERMISSIVE FOR DELETE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."taxes" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."taxes" AS PERMISSIVE FOR SELECT TO finance USING (
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

CREATE POLICY "update_own" ON "finance"."taxes" AS PERMISSIVE FOR UPDATE TO finance USING (
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

CREATE POLICY "insert_own" ON "finance"."taxes_versions" AS PERMISSIVE FOR INSERT TO finance WITH CHECK (
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

CREATE POLICY "select_own" ON "finance"."taxes_versions" AS PERMISSIVE FOR SELECT TO finance USING (
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

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."billing_settings" TO finance;

GRANT INSERT, SELECT ON "finance"."billing_settings_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."client_balances" TO finance;

GRANT INSERT, SELECT ON "finance"."client_balances_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."credit_notes" TO finance;

GRANT INSERT, SELECT, UPDATE (reason) ON "finance"."credit_notes_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."fee_rules" TO finance;

GRANT INSERT, SELECT ON "finance"."fee_rules_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."invoice_items" TO finance;

GRANT INSERT, SELECT, UPDATE (description) ON "finance"."invoice_items_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."invoices" TO finance;

GRANT INSERT, SELECT, UPDATE (memo) ON "finance"."invoices_versions" TO finance;

GRANT INSERT, SELECT ON "finance"."ledger_entries" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."packages" TO finance;

GRANT INSERT, SELECT ON "finance"."packages_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."payment_allocations" TO finance;

GRANT INSERT, SELECT ON "finance"."payment_allocations_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."payments" TO finance;

GRANT INSERT, SELECT, UPDATE (note) ON "finance"."payments_versions" TO finance;

GRANT DELETE, INSERT, SELECT, UPDATE ON "finance"."taxes" TO finance;

GRANT INSERT, SELECT ON "finance"."taxes_versions" TO finance;
