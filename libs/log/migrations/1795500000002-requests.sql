-- What a service keeps of requests: responses under their `Idempotency-Key`, and the records that are being deleted.

CREATE TABLE "${schema}".idempotency (
  therapist_id uuid NOT NULL,
  key text NOT NULL,
  hash text NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL,
  body text,
  answered_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_pkey PRIMARY KEY (therapist_id, key)
);

CREATE INDEX idempotency_old_idx ON "${schema}".idempotency (answered_at);

-- The relay's role removes marks when the deletion arrives as an event.
CREATE TABLE "${schema}".deletion_marks (
  therapist_id uuid NOT NULL,
  resource text NOT NULL,
  id uuid NOT NULL,
  token uuid NOT NULL,
  version integer NOT NULL,
  marked_at timestamp with time zone NOT NULL,
  CONSTRAINT deletion_marks_pkey PRIMARY KEY (therapist_id, resource, id)
);

DO $$
DECLARE
  own text := $sql$(CASE WHEN therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid) THEN true
    ELSE therapist_id = ANY ((select nullif(current_setting('app.therapist_ids', true), '')::uuid[])::uuid[]) END)$sql$;
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['idempotency', 'deletion_marks'] LOOP
    EXECUTE format('ALTER TABLE "${schema}".%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_practice ON "${schema}".%I TO "${schema}" USING %s WITH CHECK %s', name, own, own);
  END LOOP;
END $$;

-- The relay's role deletes responses that are no longer needed, of every practice.
CREATE POLICY old ON "${schema}".idempotency TO "${schema}_relay" USING (answered_at <= now() - interval '24 hours');
CREATE POLICY relay ON "${schema}".deletion_marks TO "${schema}_relay" USING (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}".idempotency, "${schema}".deletion_marks TO "${schema}";
GRANT SELECT (therapist_id, key, answered_at), DELETE ON "${schema}".idempotency TO "${schema}_relay";
GRANT SELECT, DELETE ON "${schema}".deletion_marks TO "${schema}_relay";
