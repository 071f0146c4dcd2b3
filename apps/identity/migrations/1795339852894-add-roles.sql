DROP POLICY "own_practice" ON "identity"."users";

DROP POLICY "own_practice" ON "identity"."practices";

DROP POLICY "own_practice" ON "identity"."memberships";

CREATE POLICY "permitted" ON "identity"."events" AS RESTRICTIVE FOR INSERT TO identity WITH CHECK ((COALESCE(( SELECT NULLIF(current_setting('app.writer'::text, true), ''::text) AS "nullif"), (( SELECT (NULLIF(current_setting('app.writers'::text, true), ''::text))::text[] AS "nullif"))[array_position(( SELECT (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[] AS "nullif"), therapist_id)]) = ANY (
CASE
    WHEN ((aggregate = 'membership'::text) AND (type = 'MembershipDeleted'::text)) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'membership'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "readable" ON "identity"."events" AS RESTRICTIVE FOR SELECT TO identity USING ((( SELECT current_setting('app.reader'::text, true) AS current_setting) = ANY (
CASE
    WHEN (aggregate = 'membership'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'practice'::text) THEN '{owner,therapist,front_desk,billing,read_only,system}'::text[]
    WHEN (aggregate = 'user'::text) THEN '{system}'::text[]
    ELSE '{system}'::text[]
END)));

CREATE POLICY "delete_own" ON "identity"."memberships" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."memberships" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."memberships" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."memberships" AS PERMISSIVE FOR UPDATE TO identity USING (
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

CREATE POLICY "delete_own" ON "identity"."practices" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."practices" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."practices" AS PERMISSIVE FOR SELECT TO identity USING (
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

CREATE POLICY "update_own" ON "identity"."practices" AS PERMISSIVE FOR UPDATE TO identity USING (
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

CREATE POLICY "delete_own" ON "identity"."users" AS PERMISSIVE FOR DELETE TO identity USING (
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

CREATE POLICY "insert_own" ON "identity"."users" AS PERMISSIVE FOR INSERT TO identity WITH CHECK (
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

CREATE POLICY "select_own" ON "identity"."users" AS PERMISSIVE FOR SELECT TO identity USING (
CASE
    WHEN (therapist_id = ( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = ANY ('{system}'::text[])) THEN (NULLIF(current_setting('app.therapist_id'::text, true), ''::text))::uuid
                ELSE NULL::uuid
            END AS "case")) THEN true
    ELSE (therapist_id = ANY (( SELECT
            CASE
                WHEN (current_setting('app.reader'::text, true) = 'system'::text) THEN (NULLIF(current_setting('app.therapist_ids'::text, true), ''::text))::uuid[]
                ELSE NULL::uuid[]
            END AS "case")::uuid[]))
END);

CREATE POLICY "update_own" ON "identity"."users" AS PERMISSIVE FOR UPDATE TO identity USING (
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
