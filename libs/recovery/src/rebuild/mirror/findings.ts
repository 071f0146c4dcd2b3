// Compares the mirror with the history. A row may be older than the history if its events have not been handled yet. It may be newer
// if it came directly from its owner. A finding is a row that contradicts the events that have certainly been handled.

import type { Difference } from '../differences.js';
import type { History } from './history.js';

export type Finding = Omit<Difference, 'kind'> & {
  /** `unexplained`: the stream has no event for this version, but the owner may have it. */
  readonly kind: 'missing' | 'differs' | 'unexplained' | 'not in the stream';
  /** The version of the row in the mirror; null if the row is missing. */
  readonly version: number | null;
  /** Whether the row in the mirror is missing or marked as deleted. */
  readonly isDeleted: boolean;
};

interface Compared {
  /** The table of the mirror, in SQL. */
  readonly mirror: string;
  /** The sequence up to which every event has been applied to the mirror. */
  readonly handled: number;
}

/** Compares the mirror with the history. Stores the findings and the correct rows in a temporary table. */
export async function findDifferences(
  { client, columns }: History,
  { mirror, handled }: Compared,
): Promise<Finding[]> {
  await client.query(`DROP TABLE IF EXISTS pg_temp.findings`);
  await client.query(comparison({ mirror, handled, resources: Object.keys(columns) }));
  const { rows } = await client.query<Finding>(
    `SELECT resource, therapist_id AS "therapistId", id, kind, columns, seen_version AS version, seen_data IS NULL AS "isDeleted"
     FROM pg_temp.findings ORDER BY therapist_id, resource, id`,
  );
  return rows;
}

type Comparison = Compared & { readonly resources: readonly string[] };

/** The comparison in SQL. `sure` is the last state that was certainly handled. `same` is the state at the version of the mirror. */
const comparison = ({ mirror, handled, resources }: Comparison): string =>
  `CREATE TEMPORARY TABLE findings AS
WITH live AS (SELECT * FROM ${mirror} WHERE resource IN (${resources.map((name) => `'${name}'`).join(', ')})),
sure AS (
  SELECT DISTINCT ON (therapist_id, resource, id) * FROM pg_temp.states
  WHERE sequence <= ${handled} ORDER BY therapist_id, resource, id, version DESC
), both_sides AS (
  SELECT therapist_id, resource, id, live.version AS seen_version, live.data AS seen_data,
    sure.version AS sure_version, sure.data AS sure_data
  FROM live FULL JOIN sure USING (therapist_id, resource, id)
), paired AS (
  SELECT b.*, same.version AS same_version, same.data AS same_data
  FROM both_sides b LEFT JOIN pg_temp.states same
    ON (same.therapist_id, same.resource, same.id, same.version) = (b.therapist_id, b.resource, b.id, b.seen_version)
), judged AS (
  SELECT *, CASE
    WHEN seen_version IS NULL THEN 'missing'
    WHEN seen_version < sure_version OR (same_version IS NOT NULL AND same_data IS DISTINCT FROM seen_data) THEN 'differs'
    WHEN same_version IS NULL THEN 'unexplained' END AS kind,
    same_version IS NOT NULL AND seen_version >= coalesce(sure_version, 0) AS is_current
  FROM paired
), corrected AS (
  SELECT *, CASE WHEN is_current THEN same_version ELSE sure_version END AS version,
    CASE WHEN is_current THEN same_data ELSE sure_data END AS data
  FROM judged WHERE kind IS NOT NULL
)
SELECT therapist_id, resource, id, kind, seen_version, seen_data, version, data,
  CASE WHEN kind <> 'differs' THEN '{}'::text[] ELSE ARRAY(
    SELECT coalesce(a.key, b.key) FROM jsonb_each(coalesce(seen_data, '{}')) a
    FULL JOIN jsonb_each(coalesce(data, '{}')) b USING (key) WHERE a.value IS DISTINCT FROM b.value
    UNION ALL SELECT 'version' WHERE version <> seen_version ORDER BY 1) END AS columns
FROM corrected`;

/** The owner's answer about a row that the stream does not explain. */
export interface Settled {
  readonly finding: Finding;
  /** Whether the row is right: the owner has this version of the record or a newer one, or neither the owner nor the mirror has the record. */
  readonly isRight: boolean;
}

/** Removes the findings whose rows are right, and turns the others into deleted rows, since their owner does not have the record. */
export async function settle({ client }: History, settled: readonly Settled[]): Promise<void> {
  const rows = settled.map(({ finding, isRight }) => ({ ...finding, isRight }));
  const keys = `json_to_recordset($1::json) AS s("therapistId" uuid, resource text, id uuid, "isRight" boolean)
     WHERE (f.therapist_id, f.resource, f.id) = (s."therapistId", s.resource, s.id)`;
  const values = [JSON.stringify(rows)];
  await client.query(`DELETE FROM pg_temp.findings f USING ${keys} AND s."isRight"`, values);
  await client.query(
    `UPDATE pg_temp.findings f SET version = coalesce(f.version, f.seen_version) FROM ${keys}`,
    values,
  );
}

/** Corrects the rows that have not changed since they were found. @returns how many rows it corrected */
export async function correct({ client }: History, mirror: string): Promise<number> {
  const update = await client.query(
    `UPDATE ${mirror} m SET version = f.version, data = f.data FROM pg_temp.findings f
     WHERE (m.therapist_id, m.resource, m.id, m.version) = (f.therapist_id, f.resource, f.id, f.seen_version)
       AND m.data IS NOT DISTINCT FROM f.seen_data AND f.version IS NOT NULL`,
  );
  const insert = await client.query(
    `INSERT INTO ${mirror} (therapist_id, resource, id, version, data)
     SELECT therapist_id, resource, id, version, data FROM pg_temp.findings WHERE seen_version IS NULL
     ON CONFLICT DO NOTHING`,
  );
  return (update.rowCount ?? 0) + (insert.rowCount ?? 0);
}
