-- only with: access log
-- Who read confidential records. The role that serves requests can only add rows; its policies follow from the definitions.

CREATE TABLE "${schema}".access_log (
  therapist_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  actor text NOT NULL,
  actor_id uuid NOT NULL,
  actor_name text,
  request_id text NOT NULL,
  resource text NOT NULL,
  method text NOT NULL,
  record_ids jsonb,
  count integer NOT NULL,
  address text,
  break_glass_id uuid,
  PRIMARY KEY (therapist_id, id)
);

CREATE INDEX access_log_at_idx ON "${schema}".access_log (therapist_id, at);

CREATE INDEX access_log_break_glass_idx ON "${schema}".access_log (therapist_id, break_glass_id)
  WHERE break_glass_id IS NOT NULL;

ALTER TABLE "${schema}".access_log ENABLE ROW LEVEL SECURITY;

GRANT SELECT, INSERT ON "${schema}".access_log TO "${schema}";
