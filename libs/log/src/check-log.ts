// Recomputing the hashes of a log. An event is checked against its own row and the stored hash of its predecessor, so ranges of
// positions are checked independently of each other.

import { contentOf } from './chain.js';
import { logTable } from './log-table.js';
import { listsOf, sql, type Statement } from './statement.js';
import type { TextRow } from './text-query.js';

/** Positions of a practice's log to check. */
export interface LogRange {
  readonly therapistId: string;
  /** The first position, from 1. */
  readonly first: number;
  /** The last position; null for all later positions, which must end at the position of the head row. */
  readonly last: number | null;
}

/** The result of a check. */
export interface CheckedRange {
  readonly therapistId: string;
  /** The number of events that were checked. */
  readonly events: number;
  /** The last position of the range that has an event; 0 for an empty log. */
  readonly position: number;
  /** The hash stored there, as hexadecimal digits; '' if there is no event. */
  readonly hash: string;
  /** The first position whose event is missing, was added, or differs from its hash; null if all events fit. */
  readonly firstBroken: number | null;
}

const FIRST = '-9223372036854775808';
const LAST = '9223372036854775807';

/** Checks ranges of any practices that the connection may see, in one snapshot. */
export const checkRanges = (service: string, ranges: readonly LogRange[]): Statement => ({
  text: `SELECT range.therapist_id, found.events, coalesce(final.position, 0), encode(coalesce(final.hash, ''), 'hex'),
  least(found.broken, CASE
    WHEN coalesce(final.position, 0) < wanted.position THEN coalesce(final.position, 0) + 1
    WHEN coalesce(final.position, 0) > wanted.position THEN wanted.position + 1
    WHEN coalesce(final.hash, '') <> wanted.hash THEN greatest(wanted.position, 1) END)
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS range(therapist_id, first, last)
LEFT JOIN ${logTable(service, 'practice_head')} AS head USING (therapist_id)
LEFT JOIN LATERAL (
  SELECT e.position, e.hash FROM ${logTable(service, 'events')} AS e
  WHERE e.therapist_id = range.therapist_id AND e.position <= coalesce(range.last, ${LAST}) ORDER BY e.position DESC LIMIT 1
) AS final ON true
CROSS JOIN LATERAL (
  SELECT CASE WHEN range.last IS NULL THEN coalesce(head.position, 0) ELSE range.last END AS position,
    CASE WHEN range.last IS NULL THEN coalesce(head.hash, '') ELSE final.hash END AS hash
) AS wanted
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE e.position >= range.first) AS events, min(CASE
    WHEN range.first > 1 AND e.position = range.first - 1 THEN NULL
    WHEN e.position <> coalesce(e.before, CASE range.first WHEN 1 THEN 0 ELSE range.first - 2 END) + 1
      THEN coalesce(e.before, CASE range.first WHEN 1 THEN 0 ELSE range.first - 2 END) + 1
    WHEN e.hash <> sha256(coalesce(e.hash_before, '') || e.content) THEN e.position END) AS broken
  FROM (
    SELECT e.position, e.hash, ${contentOf('e')} AS content, lag(e.position) OVER log AS before, lag(e.hash) OVER log AS hash_before
    FROM ${logTable(service, 'events')} AS e
    WHERE e.therapist_id = range.therapist_id AND e.position >= CASE range.first WHEN 1 THEN ${FIRST} ELSE range.first - 1 END
      AND e.position <= coalesce(range.last, ${LAST})
    WINDOW log AS (ORDER BY e.position)
  ) AS e
) AS found`,
  values: listsOf(ranges, 'therapistId', 'first', 'last'),
});

/** The result of `checkRanges`. */
export const checkedRanges = (rows: readonly TextRow[]): CheckedRange[] =>
  rows.map(([therapistId, events, position, hash, firstBroken]) => ({
    therapistId: String(therapistId),
    events: Number(events),
    position: Number(position),
    hash: String(hash),
    firstBroken: firstBroken === null || firstBroken === undefined ? null : Number(firstBroken),
  }));

/**
 * The practices with a head row or with events, each with its position: `[therapist_id, position]`. A practice without a head
 * row is found too, so a log cannot disappear with it.
 */
export const loggedPractices = (service: string): Statement =>
  sql(`WITH RECURSIVE logged AS (
  (SELECT therapist_id FROM ${logTable(service, 'events')} ORDER BY therapist_id LIMIT 1)
  UNION ALL
  SELECT (SELECT e.therapist_id FROM ${logTable(service, 'events')} AS e WHERE e.therapist_id > logged.therapist_id ORDER BY e.therapist_id LIMIT 1)
  FROM logged WHERE logged.therapist_id IS NOT NULL
)
SELECT therapist_id, coalesce(head.position, 0)
FROM (SELECT therapist_id FROM logged WHERE therapist_id IS NOT NULL UNION SELECT therapist_id FROM ${logTable(service, 'practice_head')}) AS practice
LEFT JOIN ${logTable(service, 'practice_head')} AS head USING (therapist_id) ORDER BY therapist_id`);

/** The position of a practice's head row. A practice that has never written to this log has no head row. */
export const practicePosition = (service: string, therapistId: string): Statement => ({
  text: `SELECT position FROM ${logTable(service, 'practice_head')} WHERE therapist_id = $1`,
  values: [therapistId],
});

/** A log to check: all of it, or the positions after one and up to another. */
export interface LogSpan {
  readonly therapistId: string;
  /** The position in the head row. */
  readonly position: number;
  readonly after?: number;
  readonly upto?: number | null;
}

/** Cuts logs into ranges of at most `size` positions. The last range of a log reaches to its end, or to `upto`. */
export const rangesOf = (spans: readonly LogSpan[], size: number): LogRange[] =>
  spans.flatMap(({ therapistId, position, after = 0, upto = null }) => {
    const positions = Math.min(position, upto ?? position) - after;
    const count = Math.max(1, Math.ceil(positions / size));
    return Array.from({ length: count }, (_, index) => ({
      therapistId,
      first: after + index * size + 1,
      last: index === count - 1 ? upto : after + (index + 1) * size,
    }));
  });
