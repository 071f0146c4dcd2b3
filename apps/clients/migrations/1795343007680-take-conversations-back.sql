DROP POLICY "permitted" ON "clients"."events";

CREATE POLICY "permitted" ON "clients"."events" AS RESTRICTIVE FOR INSERT TO clients WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'client'::text) AND (type = 'ClientDeleted'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'client'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    WHEN ((aggregate = 'conversation'::text) AND (type = 'ConversationWithdrawn'::text)) THEN '{owner,therapist,system}'::text[]
    WHEN (aggregate = 'conversation'::text) THEN '{owner,therapist,front_desk,system}'::text[]
    ELSE '{system}'::text[]
END)));
