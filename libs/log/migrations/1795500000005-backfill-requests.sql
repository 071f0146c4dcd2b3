-- Requests of subscribers to publish events again, see src/backfill-requests.ts. Only the relay uses the table.

-- One row for each request. `since` is the time from which events are needed, `-infinity` for all. A request is taken once a
-- refill of the stream has begun for it, and is removed when that refill is done.
CREATE TABLE "${schema}".backfill_requests (
  id uuid NOT NULL,
  since timestamp with time zone NOT NULL,
  is_taken boolean NOT NULL DEFAULT false,
  CONSTRAINT backfill_requests_pkey PRIMARY KEY (id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}".backfill_requests TO "${schema}_relay";
