CREATE FUNCTION "clients".link(hash bytea, before bytea, content bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(coalesce(hash, before) || content);

CREATE AGGREGATE "clients".chain(before bytea, content bytea) (SFUNC = "clients".link, STYPE = bytea, PARALLEL = safe);

ALTER TABLE "clients"."practice_head" ADD COLUMN "hash" bytea NOT NULL DEFAULT '\x';

ALTER TABLE "clients"."events" ADD COLUMN "hash" bytea;

UPDATE "clients"."events" AS event SET hash = chained.hash FROM (
  SELECT e.therapist_id, e.position, "clients".chain('\x', record_send(ROW(e.therapist_id, e.position, e.aggregate, e.stream_id, e.version, e.type, e.schema_version, e.recorded_at, e.data, e.metadata, e.previous)))
    OVER (PARTITION BY e.therapist_id ORDER BY e.position) AS hash
  FROM "clients"."events" AS e
) AS chained WHERE chained.therapist_id = event.therapist_id AND chained.position = event.position;

ALTER TABLE "clients"."events" ALTER COLUMN "hash" SET NOT NULL;

UPDATE "clients"."practice_head" AS head SET hash = event.hash FROM "clients"."events" AS event
WHERE event.therapist_id = head.therapist_id AND event.position = head.position;

CREATE POLICY "relay" ON "clients"."practice_head" AS PERMISSIVE FOR ALL TO clients_relay USING (true);

GRANT SELECT ON "clients"."practice_head" TO clients_relay;
