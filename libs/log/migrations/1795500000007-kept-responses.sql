-- The size of the responses that writes kept under idempotency keys in the 24 hours after `kept_since`.
ALTER TABLE "${schema}".practice_head
  ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN kept_since timestamp with time zone NOT NULL DEFAULT '-infinity';
