CREATE FUNCTION "clinical_notes".link(hash bytea, before bytea, content bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(coalesce(hash, before) || content);

CREATE AGGREGATE "clinical_notes".chain(before bytea, content bytea) (SFUNC = "clinical_notes".link, STYPE = bytea, PARALLEL = safe);

ALTER TABLE "clinical_notes"."practice_head" ADD COLUMN "hash" bytea NOT NULL DEFAULT '\x';

ALTER TABLE "clinical_notes"."events" ADD COLUMN "hash" bytea;

UPDATE "clinical_notes"."events" AS event SET hash = chained.hash FROM (
  SELECT e.therapist_id, e.position, "clinical_notes".chain('\x', record_send(ROW(e.therapist_id, e.position, e.aggregate, e.stream_id, e.version, e.type, e.schema_version, e.recorded_at, e.data, e.metadata, e.previous)))
    OVER (PARTITION BY e.therapist_id ORDER BY e.position) AS hash
  FROM "clinical_notes"."events" AS e
) AS chained WHERE chained.therapist_id = event.therapist_id AND chained.position = event.position;

ALTER TABLE "clinical_notes"."events" ALTER COLUMN "hash" SET NOT NULL;

UPDATE "clinical_notes"."practice_head" AS head SET hash = event.hash FROM "clinical_notes"."events" AS event
WHERE event.therapist_id = head.therapist_id AND event.position = head.position;

CREATE POLICY "relay" ON "clinical_notes"."practice_head" AS PERMISSIVE FOR ALL TO clinical_notes_relay USING (true);

GRANT SELECT ON "clinical_notes"."practice_head" TO clinical_notes_relay;
