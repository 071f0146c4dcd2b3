// One hash over the heads of all practices of a log at an instant. A person with the hash can find out later whether one of these
// logs was rewritten. It follows from the events, so it can be computed again at any time.

import { logTable } from './log-table.js';
import type { Statement } from './statement.js';
import type { TextRow } from './text-query.js';

/** The root of a log at an instant. */
export interface LogRoot {
  /** The practices with events before the instant. */
  readonly practices: number;
  /** Hexadecimal digits. */
  readonly root: string;
}

/**
 * Practices of one part, of those with an event before the instant: later practices may not move the borders of parts. A part is one
 * statement of some milliseconds. Another size would give another root.
 */
const PART = 1000;

/**
 * Computes the root of a log in parts. The root of a part is a SHA-256 over the root of the parts before it and, for each
 * practice in the order of ids, over the practice, position and hash of its last event before the instant.
 * @param until an instant so long ago that no write from before it is still under way
 * @param run runs a statement as a role that sees all practices
 */
export async function logRoot(
  service: string,
  until: string,
  run: (statement: Statement) => Promise<TextRow[]>,
): Promise<LogRoot> {
  let [practices, root, after]: [number, string, string | null] = [0, '', null];
  for (;;) {
    const [row = []]: TextRow[] = await run(partOf(service, { until, root, after }));
    const [heads, digest, last] = row;
    practices += Number(heads);
    root = String(digest);
    after = last ?? null;
    if (Number(heads) < PART) return { practices, root };
  }
}

interface PartTerms {
  readonly until: string;
  /** The root of the parts before it. */
  readonly root: string;
  /** The last practice of the part before it. */
  readonly after: string | null;
}

const partOf = (service: string, { until, root, after }: PartTerms): Statement => ({
  text: `SELECT count(*), encode(sha256(decode($1, 'hex') || coalesce(string_agg(record_send(ROW(head.therapist_id, head.position, head.hash)), '' ORDER BY head.therapist_id), '')), 'hex'),
  (array_agg(head.therapist_id ORDER BY head.therapist_id DESC))[1]
FROM (
  SELECT practice.therapist_id, e.position, e.hash FROM ${logTable(service, 'practice_head')} AS practice CROSS JOIN LATERAL (
    SELECT e.position, e.hash FROM ${logTable(service, 'events')} AS e
    WHERE e.therapist_id = practice.therapist_id AND e.recorded_at < $3::timestamptz ORDER BY e.position DESC LIMIT 1
  ) AS e
  WHERE $2::uuid IS NULL OR practice.therapist_id > $2 ORDER BY practice.therapist_id LIMIT ${PART}
) AS head`,
  values: [root, after, until],
});
