DROP POLICY "delete_own" ON "finance"."client_balances";

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
    WHEN ((aggregate = 'payment_allocation'::text) AND (type = 'PaymentAllocationDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'payment_allocation'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN ((aggregate = 'payment'::text) AND (type = 'PaymentDeleted'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'payment'::text) THEN '{owner,front_desk,billing,system}'::text[]
    WHEN ((aggregate = 'tax'::text) AND (type = 'TaxRemoved'::text)) THEN '{owner,billing,system}'::text[]
    WHEN (aggregate = 'tax'::text) THEN '{owner,billing,system}'::text[]
    ELSE '{system}'::text[]
END)));
