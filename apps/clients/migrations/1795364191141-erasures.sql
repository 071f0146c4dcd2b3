CREATE TABLE "clients"."erasures" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "client_id" uuid NOT NULL,
  "requested_at" timestamp with time zone NOT NULL,
  "requested_by" uuid NOT NULL,
  "reason" text,
  "status" text NOT NULL,
  "services" jsonb NOT NULL,
  "completed_at" timestamp with time zone,
  "certificate" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "erasures_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "erasures_status_check" CHECK ((status = ANY (ARRAY['running'::text, 'done'::text])))
);

CREATE TABLE "clients"."erasures_versions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "client_id" uuid NOT NULL,
  "requested_at" timestamp with time zone NOT NULL,
  "requested_by" uuid NOT NULL,
  "reason" text,
  "status" text NOT NULL,
  "services" jsonb NOT NULL,
  "completed_at" timestamp with time zone,
  "certificate" text,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "replaced_at" timestamp with time zone NOT NULL,
  CONSTRAINT "erasures_versions_pkey" PRIMARY KEY (therapist_id, id, version)
);

CREATE TABLE "clients"."open_erasures" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  CONSTRAINT "open_erasures_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE INDEX erasures_client_id_idx ON clients.erasures USING btree (therapist_id, client_id);

CREATE INDEX erasures_versions_client_id_idx ON clients.erasures_versions USING btree (therapist_id, client_id);

ALTER TABLE "clients"."erasures" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."erasures_versions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "clients"."open_erasures" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "delete_own" ON "clients"."erasures" AS PERMISSIVE FOR DELETE TO clients USING (
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

CREATE POLICY "insert_own" ON "clients"."erasures" AS PERMISSIVE FOR INSERT TO clients WITH CHECK (
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

CREATE POLICY "select_own" ON "clients"."erasures" AS PERMISSIVE FOR SELECT TO clients USING (
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

CREATE POLICY "update_own" ON "clients"."erasures" AS PERMISSIVE FOR UPDATE TO clients USING (
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

CREATE POLICY "insert_own" ON "clients"."erasures_versions" AS PERMISSIVE FOR INSERT TO clients WITH CHECK (
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

CREATE POLICY "select_own" ON "clients"."erasures_versions" AS PERMISSIVE FOR SELECT TO clients USING (
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

DROP POLICY "permitted" ON "clients"."events";

CREATE POLICY "permitted" ON "clients"."events" AS RESTRICTIVE FOR INSERT TO clients WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'client'::text) AND (type = 'ClientDeleted'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'client'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN ((aggregate = 'conversation'::text) AND (type = 'ConversationWithdrawn'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'conversation'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'erasure'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "clients"."events";

CREATE POLICY "readable" ON "clients"."events" AS RESTRICTIVE FOR SELECT TO clients USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'client'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'conversation'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'erasure'::text) THEN '{owner,system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "own_practice" ON "clients"."open_erasures" AS PERMISSIVE FOR ALL TO clients USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "relay" ON "clients"."open_erasures" AS PERMISSIVE FOR SELECT TO clients_relay USING (true);

DROP POLICY "permitted" ON "clients"."personal_values";

CREATE POLICY "permitted" ON "clients"."personal_values" AS RESTRICTIVE FOR INSERT TO clients WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'client'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'conversation'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN (aggregate = 'erasure'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

DROP POLICY "readable" ON "clients"."personal_values";

CREATE POLICY "readable" ON "clients"."personal_values" AS RESTRICTIVE FOR SELECT TO clients USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'client'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'conversation'::text) THEN '{owner,therapist,front_desk,read_only,system}'::text[]
    WHEN (aggregate = 'erasure'::text) THEN '{owner,system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT DELETE, INSERT, SELECT, UPDATE ON "clients"."erasures" TO clients;

GRANT INSERT, SELECT ON "clients"."erasures_versions" TO clients;

GRANT DELETE, INSERT, SELECT ON "clients"."open_erasures" TO clients;

GRANT SELECT ON "clients"."open_erasures" TO clients_relay;
