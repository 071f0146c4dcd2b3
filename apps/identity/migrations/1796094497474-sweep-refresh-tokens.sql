CREATE POLICY "old" ON "identity"."refresh_tokens" AS PERMISSIVE FOR ALL TO identity_relay USING ((EXISTS ( SELECT
   FROM identity.sessions s
  WHERE ((s.user_id = refresh_tokens.user_id) AND (s.id = refresh_tokens.session_id) AND (s.refreshed_at < (now() - '30 days'::interval))))));

GRANT DELETE, SELECT (session_id, token_hash, user_id) ON "identity"."refresh_tokens" TO identity_relay;
