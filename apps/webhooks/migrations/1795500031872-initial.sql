CREATE TABLE "webhooks"."webhook_deliveries" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "webhook_id" uuid NOT NULL,
  "event_id" text NOT NULL,
  "type" text NOT NULL,
  "at" timestamp with time zone NOT NULL,
  "attempt" integer NOT NULL,
  "status" text NOT NULL,
  "response_status" integer,
  "duration_ms" integer NOT NULL,
  "error" text,
  "next_attempt_at" timestamp with time zone,
  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "webhooks"."webhook_progress" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "is_active" boolean NOT NULL,
  "started_at" timestamp with time zone NOT NULL,
  "delivered_until" text,
  "sealed_secret" text NOT NULL,
  "sealed_previous" text,
  "previous_until" timestamp with time zone,
  "failures" integer DEFAULT 0 NOT NULL,
  "next_attempt_at" timestamp with time zone,
  "news" bigint DEFAULT 1 NOT NULL,
  "seen" bigint DEFAULT 0 NOT NULL,
  "ping_id" uuid,
  "lease" uuid,
  "holder" uuid,
  "leased_until" timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  CONSTRAINT "webhook_progress_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "webhooks"."webhooks" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "url" text NOT NULL,
  "event_types" text[],
  "description" text,
  "status" text NOT NULL,
  "secret" text,
  "secret_rotated_at" timestamp with time zone,
  "delivered_until" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "webhooks_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "webhooks_status_check" CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'failing'::text]))),
  CONSTRAINT "webhooks_url_check" CHECK ((url ~ '^https?://[^[:space:]]+$'::text))
);

CREATE TABLE "webhooks"."webhooks_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "url" text NOT NULL,
  "event_types" text[],
  "description" text,
  "status" text NOT NULL,
  "secret" text,
  "secret_rotated_at" timestamp with time zone,
  "delivered_until" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "webhooks_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE INDEX webhook_deliveries_at_idx ON webhooks.webhook_deliveries USING btree (at);

CREATE INDEX webhook_deliveries_webhook_idx ON webhooks.webhook_deliveries USING btree (therapist_id, webhook_id, at);

CREATE INDEX webhook_progress_due_idx ON webhooks.webhook_progress USING btree (leased_until) WHERE ((is_active AND (news > seen)) OR (ping_id IS NOT NULL));

CREATE INDEX webhooks_status_idx ON webhooks.webhooks USING btree (therapist_id, status);

CREATE INDEX webhooks_versions_status_idx ON webhooks.webhooks_versions USING btree (therapist_id, status);

ALTER TABLE "webhooks"."webhook_deliveries" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "webhooks"."webhook_progress" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "webhooks"."webhooks" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "webhooks"."webhooks_versions" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "permitted" ON "webhooks"."events" AS RESTRICTIVE FOR INSERT TO webhooks WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'webhook'::text) AND (type = 'WebhookDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'webhook'::text) THEN '{owner,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "webhooks"."events" AS RESTRICTIVE FOR SELECT TO webhooks USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'webhook'::text) THEN '{owner,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "permitted" ON "webhooks"."personal_values" AS RESTRICTIVE FOR INSERT TO webhooks WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'webhook'::text) THEN '{owner,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "webhooks"."personal_values" AS RESTRICTIVE FOR SELECT TO webhooks USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'webhook'::text) THEN '{owner,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "insert_own" ON "webhooks"."webhook_deliveries" AS PERMISSIVE FOR INSERT TO webhooks WITH CHECK (
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

CREATE POLICY "relay" ON "webhooks"."webhook_deliveries" AS PERMISSIVE FOR ALL TO webhooks_relay USING (true);

CREATE POLICY "select_own" ON "webhooks"."webhook_deliveries" AS PERMISSIVE FOR SELECT TO webhooks USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "own_practice" ON "webhooks"."webhook_progress" AS PERMISSIVE FOR ALL TO webhooks USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "webhooks"."webhook_progress" AS PERMISSIVE FOR ALL TO webhooks_relay USING (true);

CREATE POLICY "delete_own" ON "webhooks"."webhooks" AS PERMISSIVE FOR DELETE TO webhooks USING (
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

CREATE POLICY "insert_own" ON "webhooks"."webhooks" AS PERMISSIVE FOR INSERT TO webhooks WITH CHECK (
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

CREATE POLICY "select_own" ON "webhooks"."webhooks" AS PERMISSIVE FOR SELECT TO webhooks USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "webhooks"."webhooks" AS PERMISSIVE FOR UPDATE TO webhooks USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.writer'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT array_agg(w.practice) AS array_agg
       FROM UNNEST((NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[], (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[]) w(practice, role)
      WHERE (w.role = ANY ('{owner,system}'::text[])))::uuid[]))
END) WITH CHECK (
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

CREATE POLICY "insert_own" ON "webhooks"."webhooks_versions" AS PERMISSIVE FOR INSERT TO webhooks WITH CHECK (
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

CREATE POLICY "select_own" ON "webhooks"."webhooks_versions" AS PERMISSIVE FOR SELECT TO webhooks USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{owner,system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

GRANT INSERT, SELECT ON "webhooks"."webhook_deliveries" TO webhooks;

GRANT DELETE, SELECT ON "webhooks"."webhook_deliveries" TO webhooks_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "webhooks"."webhook_progress" TO webhooks;

GRANT DELETE, SELECT (failures, holder, id, is_active, lease, leased_until, news, next_attempt_at, ping_id, seen, therapist_id), UPDATE (holder, lease, leased_until, news) ON "webhooks"."webhook_progress" TO webhooks_relay;

GRANT DELETE, INSERT, SELECT, UPDATE ON "webhooks"."webhooks" TO webhooks;

GRANT INSERT, SELECT ON "webhooks"."webhooks_versions" TO webhooks;
