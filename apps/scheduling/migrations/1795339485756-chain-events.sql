CREATE FUNCTION "scheduling".link(hash bytea, before bytea, content bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(coalesce(hash, before) || content);

CREATE AGGREGATE "scheduling".chain(before bytea, content bytea) (SFUNC = "scheduling".link, STYPE = bytea, PARALLEL = safe);

ALTER TABLE "scheduling"."practice_head" ADD COLUMN "hash" bytea NOT NULL DEFAULT '\x';

ALTER TABLE "scheduling"."events" ADD COLUMN "hash" bytea;

UPDATE "scheduling"."events" AS event SET hash = chained.hash FROM (
  SELECT e.therapist_id, e.position, "scheduling".chain('\x', record_send(ROW(e.therapist_id, e.position, e.aggregate, e.stream_id, e.version, e.type, e.schema_version, e.recorded_at, e.data, e.metadata, e.previous)))
    OVER (PARTITION BY e.therapist_id ORDER BY e.position) AS hash
  FROM "scheduling"."events" AS e
) AS chained WHERE chained.therapist_id = event.therapist_id AND chained.position = event.position;

ALTER TABLE "scheduling"."events" ALTER COLUMN "hash" SET NOT NULL;

UPDATE "scheduling"."practice_head" AS head SET hash = event.hash FROM "scheduling"."events" AS event
WHERE event.therapist_id = head.therapist_id AND event.position = head.position;

CREATE POLICY "relay" ON "scheduling"."practice_head" AS PERMISSIVE FOR ALL TO scheduling_relay USING (true);

GRANT SELECT ON "scheduling"."practice_head" TO scheduling_relay;
