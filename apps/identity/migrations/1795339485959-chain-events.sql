CREATE FUNCTION "identity".link(hash bytea, before bytea, content bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(coalesce(hash, before) || content);

CREATE AGGREGATE "identity".chain(before bytea, content bytea) (SFUNC = "identity".link, STYPE = bytea, PARALLEL = safe);

ALTER TABLE "identity"."practice_head" ADD COLUMN "hash" bytea NOT NULL DEFAULT '\x';

ALTER TABLE "identity"."events" ADD COLUMN "hash" bytea;

UPDATE "identity"."events" AS event SET hash = chained.hash FROM (
  SELECT e.therapist_id, e.position, "identity".chain('\x', record_send(ROW(e.therapist_id, e.position, e.aggregate, e.stream_id, e.version, e.type, e.schema_version, e.recorded_at, e.data, e.metadata, e.previous)))
    OVER (PARTITION BY e.therapist_id ORDER BY e.position) AS hash
  FROM "identity"."events" AS e
) AS chained WHERE chained.therapist_id = event.therapist_id AND chained.position = event.position;

ALTER TABLE "identity"."events" ALTER COLUMN "hash" SET NOT NULL;

UPDATE "identity"."practice_head" AS head SET hash = event.hash FROM "identity"."events" AS event
WHERE event.therapist_id = head.therapist_id AND event.position = head.position;

CREATE POLICY "relay" ON "identity"."practice_head" AS PERMISSIVE FOR ALL TO identity_relay USING (true);

GRANT SELECT ON "identity"."practice_head" TO identity_relay;
