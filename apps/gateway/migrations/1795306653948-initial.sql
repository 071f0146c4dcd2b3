CREATE TABLE "gateway"."events" (
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

CREATE TABLE "gateway"."mailed_tokens" (
  "therapist_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "purpose" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  "code_challenge" text,
  CONSTRAINT "mailed_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "mailed_tokens_pkey" PRIMARY KEY (therapist_id, token_hash),
  CONSTRAINT "mailed_tokens_purpose_check" CHECK ((purpose = ANY (ARRAY['recovery'::text, 'reauthentication'::text, 'code'::text])))
);

CREATE TABLE "gateway"."outbox" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "gateway"."personal_tokens" (
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

CREATE TABLE "gateway"."practice_head" (
  "therapist_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  CONSTRAINT "practice_head_pkey" PRIMARY KEY (therapist_id)
) WITH (fillfactor=50);

CREATE TABLE "gateway"."refresh_tokens" (
  "therapist_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "session_id" uuid NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "used_at" timestamp with time zone,
  CONSTRAINT "refresh_tokens_hash_key" UNIQUE (token_hash),
  CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY (therapist_id, token_hash)
);

CREATE TABLE "gateway"."sessions" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "ended_at" timestamp with time zone,
  "method" text DEFAULT 'password'::text NOT NULL,
  CONSTRAINT "sessions_method_check" CHECK ((method = ANY (ARRAY['password'::text, 'otp'::text]))),
  CONSTRAINT "sessions_pkey" PRIMARY KEY (therapist_id, id)
);

CREATE TABLE "gateway"."signing_keys" (
  "kid" text NOT NULL,
  "created_at" timestamp with time zone DEFAULT now() NOT NULL,
  "public_jwk" jsonb NOT NULL,
  "sealed_private_key" text,
  "signs_from" timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY (kid)
);

CREATE TABLE "gateway"."users" (
  "therapist_id" uuid NOT NULL,
  "email" text NOT NULL,
  "password_hash" text NOT NULL,
  "user_metadata" jsonb NOT NULL,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "last_sign_in_at" timestamp with time zone NOT NULL,
  "recovery_sent_at" timestamp with time zone,
  CONSTRAINT "users_email_check" CHECK (((email = lower(email)) AND (length(email) <= 255))),
  CONSTRAINT "users_email_key" UNIQUE (email),
  CONSTRAINT "users_pkey" PRIMARY KEY (therapist_id)
);

ALTER TABLE "gateway"."mailed_tokens" ADD CONSTRAINT "mailed_tokens_therapist_id_fkey" FOREIGN KEY (therapist_id) REFERENCES users(therapist_id) ON DELETE CASCADE;

ALTER TABLE "gateway"."personal_tokens" ADD CONSTRAINT "personal_tokens_therapist_id_fkey" FOREIGN KEY (therapist_id) REFERENCES users(therapist_id) ON DELETE CASCADE;

ALTER TABLE "gateway"."refresh_tokens" ADD CONSTRAINT "refresh_tokens_therapist_id_session_id_fkey" FOREIGN KEY (therapist_id, session_id) REFERENCES sessions(therapist_id, id) ON DELETE CASCADE;

ALTER TABLE "gateway"."sessions" ADD CONSTRAINT "sessions_therapist_id_fkey" FOREIGN KEY (therapist_id) REFERENCES users(therapist_id) ON DELETE CASCADE;

CREATE INDEX refresh_tokens_session ON gateway.refresh_tokens USING btree (therapist_id, session_id);

ALTER TABLE "gateway"."events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."mailed_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."outbox" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."personal_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."practice_head" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."refresh_tokens" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."sessions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "gateway"."users" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own_practice" ON "gateway"."events" AS PERMISSIVE FOR ALL TO gateway USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "relay" ON "gateway"."events" AS PERMISSIVE FOR ALL TO gateway_relay USING (true);

CREATE POLICY "own_practice" ON "gateway"."mailed_tokens" AS PERMISSIVE FOR ALL TO gateway USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "gateway"."outbox" AS PERMISSIVE FOR ALL TO gateway USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "relay" ON "gateway"."outbox" AS PERMISSIVE FOR ALL TO gateway_relay USING (true);

CREATE POLICY "own_practice" ON "gateway"."personal_tokens" AS PERMISSIVE FOR ALL TO gateway USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "gateway"."practice_head" AS PERMISSIVE FOR ALL TO gateway USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "gateway"."refresh_tokens" AS PERMISSIVE FOR ALL TO gateway USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "gateway"."sessions" AS PERMISSIVE FOR ALL TO gateway USING ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "own_practice" ON "gateway"."users" AS PERMISSIVE FOR ALL TO gateway USING (((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) OR (email = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")))) WITH CHECK ((therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")));

GRANT USAGE ON SCHEMA "gateway" TO gateway;

GRANT USAGE ON SCHEMA "gateway" TO gateway_relay;

GRANT INSERT, SELECT ON "gateway"."events" TO gateway;

GRANT SELECT ON "gateway"."events" TO gateway_relay;

GRANT DELETE, INSERT, SELECT ON "gateway"."mailed_tokens" TO gateway;

GRANT INSERT ON "gateway"."outbox" TO gateway;

GRANT DELETE, SELECT ON "gateway"."outbox" TO gateway_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (last_used_at) ON "gateway"."personal_tokens" TO gateway;

GRANT INSERT, SELECT, UPDATE ON "gateway"."practice_head" TO gateway;

GRANT INSERT, SELECT, UPDATE (used_at) ON "gateway"."refresh_tokens" TO gateway;

GRANT DELETE, INSERT, SELECT, UPDATE (ended_at) ON "gateway"."sessions" TO gateway;

GRANT INSERT, SELECT ON "gateway"."signing_keys" TO gateway;

GRANT INSERT, SELECT, UPDATE (email, last_sign_in_at, password_hash, recovery_sent_at, updated_at, user_metadata) ON "gateway"."users" TO gateway;
