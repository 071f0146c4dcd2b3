CREATE INDEX address_changes_expiry_idx ON identity.address_changes USING btree (expires_at);

CREATE POLICY "expired" ON "identity"."address_changes" AS PERMISSIVE FOR ALL TO identity_relay USING ((expires_at < now()));

DROP POLICY "permitted" ON "identity"."events";

CREATE POLICY "permitted" ON "identity"."events" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN (aggregate = 'log_seal'::text) THEN '{system}'::text[]
    WHEN ((aggregate = 'membership'::text) AND (type = 'MembershipDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'security_event'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

GRANT DELETE, SELECT (expires_at) ON "identity"."address_changes" TO identity_relay;
