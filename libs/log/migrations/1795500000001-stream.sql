-- What the bus has of the log, see src/published.ts and src/refill-table.ts. Only the relay uses these tables.

-- The last message of each minute in which events were published. `since` is the earliest time at which one of the minute's
-- events was recorded.
CREATE TABLE "${schema}".published (
  minute timestamp with time zone NOT NULL,
  stream text NOT NULL,
  sequence bigint NOT NULL,
  event_id uuid NOT NULL,
  since timestamp with time zone NOT NULL,
  CONSTRAINT published_pkey PRIMARY KEY (minute, stream)
);

-- One row for each practice whose events are published again. `first` and `next` are positions. The message is the last one
-- that was published again.
CREATE TABLE "${schema}".refill (
  therapist_id uuid NOT NULL,
  since timestamp with time zone NOT NULL,
  is_loss boolean NOT NULL,
  first bigint NOT NULL,
  next bigint NOT NULL,
  is_done boolean NOT NULL DEFAULT false,
  stream text,
  sequence bigint,
  event_id uuid,
  CONSTRAINT refill_pkey PRIMARY KEY (therapist_id)
);

-- Restores of a backup, each with the last position that is still the same. Only the owner of the schema adds rows.
CREATE TABLE "${schema}".restorations (
  therapist_id uuid NOT NULL,
  epoch bigint NOT NULL,
  after bigint NOT NULL,
  CONSTRAINT restorations_pkey PRIMARY KEY (therapist_id, epoch)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}".published, "${schema}".refill TO "${schema}_relay";
GRANT SELECT ON "${schema}".restorations TO "${schema}_relay";
