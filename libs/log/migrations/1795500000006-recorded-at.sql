-- When the last event was recorded: later events are recorded after it, also if the clock of the server steps back by up to a minute.
ALTER TABLE "${schema}".practice_head ADD COLUMN recorded_at timestamp with time zone NOT NULL DEFAULT '-infinity';
