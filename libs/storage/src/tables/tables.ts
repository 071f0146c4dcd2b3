// The statements with which the write path maintains a resource's read table: one text per table for all requests.

import { entries, makeRow, REPLACED_AT, rowJson } from '@practice/resource';
import type { Lookup, Resource, Row, RowOf, Value } from '@practice/resource';
import { oncePer, schemaOf, type Steps } from '@practice/core';
import { keepReplaced } from './versions.js';
import { listsOf, type PracticeKey, type Statement, type TextRow } from '@practice/log';

/** A record with the version of its stream. */
export interface Versioned<Record = Row> {
  readonly row: Record;
  readonly version: number;
}

export const tableOf = ({ service, name }: Pick<Resource, 'service' | 'name'>): string =>
  `"${schemaOf(service)}"."${name}"`;

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

const columnNames = (resource: Resource): string[] => Object.keys(resource.columns);

/** The columns that `readRows` reads. */
const selectedColumns = oncePer(new WeakMap<Resource, string>(), (resource) =>
  quoted(['version', ...columnNames(resource)]),
);

type Stored = Versioned & { readonly therapistId: string };

/** Inserts these records, or replaces the records with the same ids. Replaced versions are kept. */
export function* upsertRows(resource: Resource, records: readonly Stored[]): Steps<Statement> {
  // A first version replaces no row, so a creation does not look for one.
  const text = records.some(({ version }) => version > 1) ? replacingText : creatingText;
  const rows: string[] = [];
  for (const record of records) {
    rows.push(JSON.stringify(storedRow(resource, record)));
    yield;
  }
  return { text: text(resource), values: [`[${rows.join()}]`] };
}

// `Object.assign`: V8 takes several times as long for an object that begins with a spread and has many members.
const storedRow = (resource: Resource, { therapistId, row, version }: Stored): object =>
  Object.assign({}, row, { therapist_id: therapistId, version, _json: rowJson(resource, row) });

const creatingText = oncePer(new WeakMap<Resource, string>(), (resource) => upsertText(resource, ''));

const replacingText = oncePer(new WeakMap<Resource, string>(), (resource) =>
  upsertText(
    resource,
    keepReplaced(resource, {
      rows: `r, LATERAL (SELECT * FROM ${tableOf(resource)} AS l WHERE l.therapist_id = r.therapist_id AND l.id = r.id OFFSET 0) AS t`,
      replacedAt: 'r.updated_at',
    }),
  ),
);

/** @param kept SQL that keeps the versions that are replaced; may be empty */
function upsertText(resource: Resource, kept: string): string {
  const own = [...columnNames(resource).filter((name) => name !== 'therapist_id'), 'version', '_json'];
  const types = entries(resource.columns)
    .filter(([name]) => name !== 'therapist_id')
    .map(([name, { kind }]) => `"${name}" ${kind.sqlType}`);
  return `WITH r AS (
  SELECT * FROM json_to_recordset($1::json) AS r(therapist_id uuid, ${types.join(', ')}, version integer, _json text)
)${kept === '' ? '' : `, kept AS (${kept})`}
INSERT INTO ${tableOf(resource)} (therapist_id, ${quoted(own)})
SELECT therapist_id, ${quoted(own)} FROM r
ON CONFLICT (therapist_id, id) DO UPDATE SET ${own
    .filter((name) => name !== 'id')
    .map((name) => `"${name}" = excluded."${name}"`)
    .join(', ')}`;
}

/** A record to delete, with the instant of its deletion. */
interface Removal {
  readonly therapistId: string;
  readonly id: string;
  readonly at: string;
}

/** Deletes records. Their last versions are kept. */
export const deleteRows = (resource: Resource, records: readonly Removal[]): Statement => ({
  text: deleteText(resource),
  values: listsOf(records, 'therapistId', 'id', 'at'),
});

const deleteText = oncePer(new WeakMap<Resource, string>(), (resource) => {
  const deletion = `DELETE FROM ${tableOf(resource)} AS t USING unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS gone(therapist_id, id, ${REPLACED_AT})
WHERE t.therapist_id = gone.therapist_id AND t.id = gone.id`;
  const kept = keepReplaced(resource, { rows: 't', replacedAt: `t.${REPLACED_AT}` });
  return kept === '' ? deletion : `WITH t AS (${deletion} RETURNING t.*, gone.${REPLACED_AT}) ${kept}`;
});

/**
 * Selects the rows that have these values in a column, in any number of practices. A result row is the index of the value, from
 * 1, then the version and every column in definition order.
 * @param by.limit at most this many records per value, where only existence matters
 */
export function searchRows(
  resource: Resource,
  { column, limit }: { readonly column: string; readonly limit: number | undefined },
  wanted: readonly PracticeKey[],
): Statement {
  const type = resource.columns[column]?.kind.sqlType ?? 'text';
  // LIMIT and OFFSET make Postgres search for each value by index. It could otherwise join by reading the whole table.
  const text = `SELECT wanted.index, r.*
FROM unnest($1::uuid[], $2::${type}[]) WITH ORDINALITY AS wanted(practice, value, index), LATERAL (
  SELECT ${selectedColumns(resource)} FROM ${tableOf(resource)} WHERE therapist_id = wanted.practice AND "${column}" = wanted.value ${limit === undefined ? 'OFFSET 0' : `LIMIT ${limit}`}
) AS r`;
  return { text, values: listsOf(wanted, 'therapistId', 'key') };
}

/** The rows that a lookup of one practice selects: the version and every column in definition order. */
export const selectRows = (
  resource: Resource,
  therapistId: string,
  { column, values }: Pick<Lookup, 'column' | 'values'>,
): Statement => ({
  text: `SELECT ${selectedColumns(resource)} FROM ${tableOf(resource)}
WHERE therapist_id = $1 AND "${column}" = ANY ($2::${resource.columns[column]?.kind.sqlType ?? 'text'}[])`,
  values: [therapistId, values],
});

/** The ids among these that a column of the table refers to. */
export const selectReferenced = (
  resource: Resource,
  therapistId: string,
  { column, ids }: { column: string; ids: readonly string[] },
): Statement => ({
  text: `SELECT wanted.id FROM unnest($2::uuid[]) AS wanted(id)
WHERE EXISTS (SELECT FROM ${tableOf(resource)} WHERE therapist_id = $1 AND "${column}" = wanted.id)`,
  values: [therapistId, ids],
});

/** Reads rows in Postgres' text as records. Each row begins with the version, as in the results of `selectRows` and of a plan's targets. */
export function readRows<D extends Resource>(resource: D, rows: readonly TextRow[]): Versioned<RowOf<D>>[] {
  const names = columnNames(resource);
  return rows.map(([version, ...values]) => ({
    version: Number(version),
    row: makeRow(names, (name, index) => {
      const text = values[index];
      const kind = resource.columns[name]?.kind;
      return text === null || text === undefined ? null : (kind?.fromText(text) as Value);
    }) as RowOf<D>,
  }));
}
