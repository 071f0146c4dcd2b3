ALTER TABLE "identity"."practice_head" ADD COLUMN "bytes" bigint DEFAULT 0 NOT NULL;

UPDATE "identity"."practice_head" AS head SET bytes = sized.bytes FROM (
  SELECT therapist_id, sum(pg_column_size(data) + pg_column_size(metadata) + coalesce(pg_column_size(previous), 0)) AS bytes
  FROM "identity"."events" GROUP BY therapist_id
) AS sized WHERE sized.therapist_id = head.therapist_id;
