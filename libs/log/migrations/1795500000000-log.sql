-- The log of a service, the same in every schema. No role that serves requests can change or delete an event; only the owner of
-- the schema could, and it serves no requests. "${schema}" is the schema and the role that serves requests, "${schema}_relay" the
-- role that relays events.

GRANT USAGE ON SCHEMA "${schema}" TO "${schema}_relay", "${schema}";

-- The hash of an event covers the hash of the one before it.
CREATE FUNCTION "${schema}".link(hash bytea, before bytea, content bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(coalesce(hash, before) || content);

CREATE AGGREGATE "${schema}".chain(before bytea, content bytea)
  (SFUNC = "${schema}".link, STYPE = bytea, PARALLEL = safe);

-- `hash` is that of the event at the position; no bytes before the first one. `bytes` is the size of all events and replaced
-- versions. `erasures` grows with each erasure, so that processes know when the keys that they hold may have been destroyed.
-- `erase_at` is set while the practice is closed.
CREATE TABLE "${schema}".practice_head (
  therapist_id uuid PRIMARY KEY,
  position bigint NOT NULL,
  hash bytea NOT NULL DEFAULT '\x',
  bytes bigint NOT NULL DEFAULT 0,
  erase_at timestamp with time zone,
  erasures bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE "${schema}".events (
  therapist_id uuid NOT NULL,
  position bigint NOT NULL,
  aggregate text NOT NULL,
  stream_id uuid NOT NULL,
  version integer NOT NULL,
  type text NOT NULL,
  schema_version integer NOT NULL,
  data jsonb NOT NULL,
  metadata jsonb NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  previous jsonb,
  hash bytea NOT NULL,
  PRIMARY KEY (therapist_id, position),
  CONSTRAINT events_stream_key UNIQUE (therapist_id, stream_id, aggregate, version)
);

-- The relay reads by `id`. The key begins with the practice, as a Postgres that is sharded by practice needs it.
CREATE TABLE "${schema}".outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  therapist_id uuid NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (therapist_id, position)
);

CREATE INDEX outbox_id_idx ON "${schema}".outbox (id);

-- A key of a client, or of the practice if `client_id` is its id: sealed by the service's key-encryption key. Without a key,
-- the row is a tombstone: the client was erased, `erased_events` events had values, and no key can be made again.
CREATE TABLE "${schema}".personal_keys (
  therapist_id uuid NOT NULL,
  client_id uuid NOT NULL,
  sealed_key text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  erased_at timestamp with time zone,
  erased_events bigint,
  CONSTRAINT personal_keys_pkey PRIMARY KEY (therapist_id, client_id)
);

-- The personal values of an event in plain form, which an erasure removes. The event has them sealed.
CREATE TABLE "${schema}".personal_values (
  therapist_id uuid NOT NULL,
  position bigint NOT NULL,
  aggregate text NOT NULL,
  data jsonb,
  previous jsonb,
  CONSTRAINT personal_values_pkey PRIMARY KEY (therapist_id, position)
);

-- Rows of the practices that the transaction acts for; the relay's role sees those of every practice. CASE keeps the comparison
-- a filter: with OR, Postgres would combine two index scans, whose rows have no order.
DO $$
DECLARE
  own text := $sql$(CASE WHEN therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid) THEN true
    ELSE therapist_id = ANY ((select nullif(current_setting('app.therapist_ids', true), '')::uuid[])::uuid[]) END)$sql$;
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['practice_head', 'events', 'outbox', 'personal_keys', 'personal_values'] LOOP
    EXECUTE format('ALTER TABLE "${schema}".%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_practice ON "${schema}".%I TO "${schema}" USING %s WITH CHECK %s', name, own, own);
    EXECUTE format('CREATE POLICY relay ON "${schema}".%I TO "${schema}_relay" USING (true)', name);
  END LOOP;
END $$;

-- Only the service itself erases, never a caller's role.
DO $$
DECLARE
  by_system text := $sql$(CASE WHEN therapist_id = (select CASE WHEN current_setting('app.writer', true) = ANY ('{system}'::text[])
      THEN nullif(current_setting('app.therapist_id', true), '')::uuid END) THEN true
    ELSE therapist_id = ANY ((select array_agg(w.practice)
      FROM unnest(nullif(current_setting('app.therapist_ids', true), '')::uuid[], nullif(current_setting('app.writers', true), '')::text[])
        AS w(practice, role)
      WHERE w.role = ANY ('{system}'::text[]))::uuid[]) END)$sql$;
BEGIN
  EXECUTE 'CREATE POLICY update_erased ON "${schema}".personal_keys AS RESTRICTIVE FOR UPDATE TO "${schema}" USING ' || by_system;
  EXECUTE 'CREATE POLICY update_erased ON "${schema}".personal_values AS RESTRICTIVE FOR UPDATE TO "${schema}" USING ' || by_system;
  EXECUTE 'CREATE POLICY delete_erased ON "${schema}".personal_values AS RESTRICTIVE FOR DELETE TO "${schema}" USING ' || by_system;
END $$;

GRANT SELECT, INSERT, UPDATE ON "${schema}".practice_head, "${schema}".personal_keys TO "${schema}";
GRANT SELECT, INSERT ON "${schema}".events TO "${schema}";
GRANT INSERT ON "${schema}".outbox TO "${schema}";
GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}".personal_values TO "${schema}";
GRANT SELECT ON "${schema}".practice_head, "${schema}".events, "${schema}".personal_values TO "${schema}_relay";
GRANT SELECT, DELETE ON "${schema}".outbox TO "${schema}_relay";
