// The statement that appends events: see `appendAll`.

import { hashesOf, hashOf } from './chain.js';
import { logTable } from './log-table.js';

const COLUMNS =
  'therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, previous, recorded_at';

/** Also stores the plain form of personal values. */
const openedText = (service: string): string => `, opened AS (
  INSERT INTO ${logTable(service, 'personal_values')} (therapist_id, position, aggregate, data, previous)
  SELECT therapist_id, position, aggregate, personal_data, personal_previous FROM new WHERE personal_data IS NOT NULL OR personal_previous IS NOT NULL
)`;

/**
 * @param hash SQL for the hash of an event of `placed`, after `head`
 * @param opened SQL of a query that stores the personal values; empty for events without them
 */
const textWith = (service: string, hash: string, opened: string): string => `WITH new AS (
  SELECT * FROM json_to_recordset($1::json) AS e(therapist_id uuid, position bigint, aggregate text, stream_id uuid, version integer, type text, schema_version integer, data jsonb, metadata jsonb, previous jsonb, recorded_at timestamptz, begins boolean, endings text[]${opened === '' ? '' : ', personal_data jsonb, personal_previous jsonb'})
)${opened}, chained AS (
  SELECT placed.*, ${hash} AS hash FROM (
    SELECT new.therapist_id, position, aggregate, stream_id,
      CASE WHEN begins IS NULL OR begins = (last.version IS NULL OR last.type = ANY (endings)) THEN new.version ELSE last.version END AS version,
      new.type, schema_version, data, metadata, previous, recorded_at
    FROM new LEFT JOIN LATERAL (
      SELECT e.type, e.version FROM ${logTable(service, 'events')} AS e
      WHERE begins IS NOT NULL AND e.therapist_id = new.therapist_id AND e.stream_id = new.stream_id AND e.aggregate = new.aggregate
      ORDER BY e.version DESC LIMIT 1
    ) AS last ON true
  ) AS placed LEFT JOIN LATERAL (
    SELECT hash FROM ${logTable(service, 'practice_head')} WHERE therapist_id = placed.therapist_id LIMIT 1
  ) AS head ON true
), logged AS (
  INSERT INTO ${logTable(service, 'events')} (${COLUMNS}, hash) SELECT ${COLUMNS}, hash FROM chained
), queued AS (
  INSERT INTO ${logTable(service, 'outbox')} (therapist_id, position) SELECT therapist_id, position FROM new ORDER BY therapist_id, position
)
UPDATE ${logTable(service, 'practice_head')} AS head SET position = moved.position, hash = chained.hash, recorded_at = chained.recorded_at, bytes = head.bytes + moved.bytes
FROM unnest($2::uuid[], $3::bigint[], $4::bigint[]) AS moved(therapist_id, position, bytes) JOIN chained USING (therapist_id, position)
WHERE head.therapist_id = moved.therapist_id`;

/**
 * @param options.isPersonal whether some of the events have personal values
 * @param options.isSingle whether each practice has one event
 */
export const appendText = (
  service: string,
  { isPersonal, isSingle }: { readonly isPersonal: boolean; readonly isSingle: boolean },
): string =>
  textWith(
    service,
    isSingle ? hashOf('head.hash', 'placed') : hashesOf(service, 'head.hash', 'placed'),
    isPersonal ? openedText(service) : '',
  );
