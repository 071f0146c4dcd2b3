CREATE TABLE "identity"."credentials" (
  "therapist_id" uuid NOT NULL,
  "email" text NOT NULL,
  "password_hash" text NOT NULL,
  "last_sign_in_at" timestamp with time zone NOT NULL,
  "recovery_sent_at" timestamp with time zone,
  CONSTRAINT "credentials_email_key" UNIQUE (email),
  CONSTRAINT "credentials_pkey" PRIMARY KEY (therapist_id)
);

CREATE TABLE "identity"."deletion_marks" (
  "therapist_id" uuid NOT NULL,
  "resource" text NOT NULL,
  "id" uuid NOT NULL,
  "token" uuid NOT NULL,
  "version" integer NOT NULL,
  "marked_at" timestamp with time zone NOT NULL,
  CONSTRAINT "deletion_marks_pkey" PRIMARY KEY (therapist_id, resource, id)
);

CREATE TABLE "identity"."events" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  "aggregate" text NOT NULL,
  "stream_id" uuid NOT NULL,
  "version" integer NOT NULL,
  "type" text NOT NULL,
  "schema_version" integer NOT NULL,
  "data" jsonb NOT NULL,
  "metadata" jsonb NOT NULL,
  "recorded_at" timestamp with time zone NOT NULL,
  CONSTRAINT "events_pkey" PRIMARY KEY (therapist_id, "position"),
  CONSTRAINT "events_stream_key" UNIQUE (therapist_id, stream_id, aggregate, version)
);

CREATE TABLE "identity"."idempotency" (
  "therapist_id" uuid NOT NULL,
  "key" text NOT NULL,
  "hash" text NOT NULL,
  "status" integer NOT NULL,
  "headers" jsonb NOT NULL,
  "body" text,
  "answered_at" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "idempotency_pkey" PRIMARY KEY (therapist_id, key)
);

CREATE TABLE "identity"."mailed_tokens" (
  "therapist_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "purpose" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "code_challenge" text,
  CONSTRAINT "mailed_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "mailed_tokens_pkey" PRIMARY KEY (therapist_id, token_hash),
  CONSTRAINT "mailed_tokens_purpose_check" CHECK ((purpose = ANY (ARRAY['recovery'::text, 'reauthentication'::text, 'code'::text])))
);

CREATE TABLE "identity"."outbox" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "identity"."personal_tokens" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "token_hash" text NOT NULL,
  "prefix" text NOT NULL,
  "read_only" boolean NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "expires_at" timestamp with time zone,
  "last_used_at" timestamp with time zone,
  CONSTRAINT "personal_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "personal_tokens_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."practice_head" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "practice_head_pkey" PRIMARY KEY (therapist_id)
) WITH (fillfactor=50);

CREATE TABLE "identity"."practices" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "practices_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "practices_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."refresh_tokens" (
  "therapist_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "session_id" uuid NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "used_at" timestamp with time zone,
  CONSTRAINT "refresh_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY (therapist_id, token_hash)
);

CREATE TABLE "identity"."sessions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "method" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "tokens_expire_at" timestamp with time zone NOT NULL,
  "ended_at" timestamp with time zone,
  CONSTRAINT "sessions_method_check" CHECK ((method = ANY (ARRAY['password'::text, 'otp'::text]))),
  CONSTRAINT "sessions_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "identity"."signing_keys" (
  "kid" text NOT NULL,
  "created_at" timestamp with time zone DEFAULT now() NOT NULL,
  "public_jwk" jsonb NOT NULL,
  "sealed_private_key" text,
  "signs_from" timestamp with time zone NOT NULL,
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY (kid)
);

CREATE TABLE "identity"."users" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "metadata" jsonb NOT NULL,
  "password_changed_at" timestamp with time zone NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "users_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "users_pkey" PRIMARY KEY (therapist_id, id)
);

ALTER TABLE "identity"."mailed_tokens" ADD CONSTRAINT "mailed_tokens_therapist_id_fkey" FOREIGN KEY (therapist_id) REFERENCES identity.credentials(therapist_id) ON DELETE CASCADE;

ALTER TABLE "identity"."personal_tokens" ADD CONSTRAINT "personal_tokens_therapist_id_fkey" FOREIGN KEY (therapist_id) REFERENCES identity.credentials(therapist_id) ON DELETE CASCADE;

ALTER TABLE "identity"."refresh_tokens" ADD CONSTRAINT "refresh_tokens_therapist_id_session_id_fkey" FOREIGN KEY (therapist_id, session_id) REFERENCES identity.sessions(therapist_id, id) ON DELETE CASCADE;

ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_therapist_id_fkey" FOREIGN KEY (therapist_id) REFERENCES identity.credentials(therapist_id) ON DELETE CASCADE;

CREATE INDEX idempotency_answered_at_idx ON identity.idempotency USING btree (therapist_id, answered_at);

CREATE INDEX refresh_tokens_session_idx ON identity.refresh_tokens USING btree (therapist_id, session_id);

CREATE INDEX sessions_ended_idx ON identity.sessions USING btree (tokens_expire_at) WHERE (ended_at IS NOT NULL);

ALTER TABLE "identity"."credentials" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."deletion_marks" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."idempotency" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."mailed_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."outbox" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."personal_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."practice_head" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."practices" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."refresh_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."sessions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."users" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "identity"."credentials" AS PERMISSIVE FOR ALL TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."deletion_marks" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "identity"."deletion_marks" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."events" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "identity"."events" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."idempotency" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "identity"."mailed_tokens" AS PERMISSIVE FOR ALL TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."outbox" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "relay" ON "identity"."outbox" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."personal_tokens" AS PERMISSIVE FOR ALL TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."practice_head" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "identity"."practices" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

CREATE POLICY "own_practice" ON "identity"."refresh_tokens" AS PERMISSIVE FOR ALL TO identity USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "gateway_state" ON "identity"."sessions" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."sessions" AS PERMISSIVE FOR ALL TO identity USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."users" AS PERMISSIVE FOR ALL TO identity USING (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END) WITH CHECK (CASE WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[])) END);

GRANT USAGE ON SCHEMA "identity" TO identity;

GRANT USAGE ON SCHEMA "identity" TO identity_relay;

GRANT INSERT, SELECT, UPDATE (email, last_sign_in_at, password_hash, recovery_sent_at) ON "identity"."credentials" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."deletion_marks" TO identity;

GRANT DELETE, SELECT ON "identity"."deletion_marks" TO identity_relay;

GRANT INSERT, SELECT ON "identity"."events" TO identity;

GRANT SELECT ON "identity"."events" TO identity_relay;

GRANT DELETE, INSERT, SELECT ON "identity"."idempotency" TO identity;

GRANT DELETE, INSERT, SELECT ON "identity"."mailed_tokens" TO identity;

GRANT INSERT ON "identity"."outbox" TO identity;

GRANT DELETE, SELECT ON "identity"."outbox" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (last_used_at) ON "identity"."personal_tokens" TO identity;

GRANT INSERT, SELECT, UPDATE ON "identity"."practice_head" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."practices" TO identity;

GRANT INSERT, SELECT, UPDATE (used_at) ON "identity"."refresh_tokens" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE (ended_at, tokens_expire_at) ON "identity"."sessions" TO identity;

GRANT SELECT (ended_at, id, tokens_expire_at) ON "identity"."sessions" TO identity_relay;

GRANT INSERT, SELECT ON "identity"."signing_keys" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."users" TO identity;
