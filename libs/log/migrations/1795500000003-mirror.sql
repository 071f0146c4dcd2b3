-- only with: mirror
-- Records of other services as of their events, and how far the mirror has followed each subscription.

CREATE TABLE "${schema}".mirror (
  therapist_id uuid NOT NULL,
  resource text NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  data jsonb,
  CONSTRAINT mirror_pkey PRIMARY KEY (therapist_id, resource, id)
);

ALTER TABLE "${schema}".mirror ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_practice ON "${schema}".mirror TO "${schema}"
  USING (CASE WHEN therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid) THEN true
    ELSE therapist_id = ANY ((select nullif(current_setting('app.therapist_ids', true), '')::uuid[])::uuid[]) END)
  WITH CHECK (CASE WHEN therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid) THEN true
    ELSE therapist_id = ANY ((select nullif(current_setting('app.therapist_ids', true), '')::uuid[])::uuid[]) END);

-- The relay's role receives the events of every practice.
CREATE POLICY relay ON "${schema}".mirror TO "${schema}_relay" USING (true) WITH CHECK (true);

CREATE TABLE "${schema}".followed (
  subscription text NOT NULL,
  stream text NOT NULL,
  sequence bigint NOT NULL,
  CONSTRAINT followed_pkey PRIMARY KEY (subscription)
);

GRANT SELECT, INSERT, UPDATE ON "${schema}".mirror TO "${schema}", "${schema}_relay";
GRANT SELECT, INSERT, UPDATE ON "${schema}".followed TO "${schema}_relay";
