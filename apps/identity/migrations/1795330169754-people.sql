CREATE TABLE "identity"."access" (
  "user_id" uuid NOT NULL,
  "therapist_id" uuid NOT NULL,
  "role" text,
  "changed_at" timestamp with time zone,
  CONSTRAINT "access_pkey" PRIMARY KEY (user_id, therapist_id)
);

CREATE TABLE "identity"."invitations" (
  "therapist_id" uuid NOT NULL,
  "membership_id" uuid NOT NULL,
  "token_hash" text NOT NULL,
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "invitations_hash_key" UNIQUE (token_hash),
  CONSTRAINT "invitations_pkey" PRIMARY KEY (therapist_id, membership_id)
);

CREATE TABLE "identity"."memberships" (
  "therapist_id" uuid NOT NULL,
  "id" uuid NOT NULL,
  "user_id" uuid,
  "email" text NOT NULL,
  "display_name" text,
  "role" text NOT NULL,
  "status" text NOT NULL,
  "invited_at" timestamp with time zone,
  "joined_at" timestamp with time zone,
  "created_at" timestamp with time zone NOT NULL,
  "updated_at" timestamp with time zone NOT NULL,
  "version" integer NOT NULL,
  "_json" text NOT NULL,
  CONSTRAINT "memberships_email_check" CHECK ((email ~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'::text)),
  CONSTRAINT "memberships_email_key" EXCLUDE USING btree (therapist_id WITH =, email WITH =) WHERE ((status = ANY (ARRAY['invited'::text, 'active'::text]))) DEFERRABLE,
  CONSTRAINT "memberships_pkey" PRIMARY KEY (therapist_id, id),
  CONSTRAINT "memberships_role_check" CHECK ((role = ANY (ARRAY['owner'::text, 'therapist'::text, 'front_desk'::text, 'billing'::text, 'read_only'::text]))),
  CONSTRAINT "memberships_status_check" CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'removed'::text]))),
  CONSTRAINT "memberships_user_key" EXCLUDE USING btree (therapist_id WITH =, user_id WITH =) WHERE ((status = 'active'::text)) DEFERRABLE
);

ALTER TABLE "identity"."credentials" ADD COLUMN "therapist_id" uuid;

ALTER TABLE "identity"."practices" ADD COLUMN "name" text NOT NULL DEFAULT 'My practice';
ALTER TABLE "identity"."practices" ALTER COLUMN "name" DROP DEFAULT;

ALTER TABLE "identity"."practices" ADD COLUMN "require_mfa" boolean NOT NULL DEFAULT 'false';
ALTER TABLE "identity"."practices" ALTER COLUMN "require_mfa" DROP DEFAULT;

ALTER TABLE "identity"."practices" ADD CONSTRAINT "practices_name_check" CHECK ((btrim(name) <> ''::text));

CREATE INDEX access_changed_idx ON identity.access USING btree (changed_at) WHERE (changed_at IS NOT NULL);

CREATE INDEX memberships_role_idx ON identity.memberships USING btree (therapist_id, role);

CREATE INDEX memberships_status_idx ON identity.memberships USING btree (therapist_id, status);

ALTER TABLE "identity"."access" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."invitations" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "identity"."memberships" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "gateway_state" ON "identity"."access" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."access" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "own_user" ON "identity"."access" AS PERMISSIVE FOR SELECT TO identity USING ((user_id = ( SELECT (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "founders" ON "identity"."credentials" AS PERMISSIVE FOR SELECT TO identity_relay USING (true);

CREATE POLICY "own_practice" ON "identity"."invitations" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

CREATE POLICY "presented" ON "identity"."invitations" AS PERMISSIVE FOR SELECT TO identity USING ((token_hash = ( SELECT NULLIF(current_setting('app.presented'::text, true), ''::text) AS "nullif")));

CREATE POLICY "own_practice" ON "identity"."memberships" AS PERMISSIVE FOR ALL TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END) WITH CHECK (
CASE
    WHEN (therapist_id = ( SELECT (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid AS "nullif")) THEN true
    ELSE (therapist_id = ANY (( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif")::uuid[]))
END);

GRANT INSERT, SELECT, UPDATE (changed_at, role) ON "identity"."access" TO identity;

GRANT SELECT ON "identity"."access" TO identity_relay;

REVOKE ALL ON "identity"."credentials" FROM identity;

GRANT INSERT, SELECT, UPDATE (email, last_sign_in_at, password_hash, recovery_sent_at, therapist_id) ON "identity"."credentials" TO identity;

GRANT SELECT (user_id) ON "identity"."credentials" TO identity_relay;

GRANT DELETE, INSERT, SELECT, UPDATE (expires_at, token_hash) ON "identity"."invitations" TO identity;

GRANT DELETE, INSERT, SELECT, UPDATE ON "identity"."memberships" TO identity;
