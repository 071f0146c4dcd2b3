// The statements with which the write path maintains a resource's read table: one text per table for all requests.

import { entries } from '@practice/resource';
import type { Lookup, Resource, Row } from '@practice/resource';
import { schemaOf } from '@practice/core';
import { rowJson } from '@practice/resource';
import type { Statement, TextRow } from '@practice/event-store';

/** A record with the version of its stream. */
export interface Versioned {
  readonly row: Row;
  readonly version: number;
}

export const tableOf = ({ service, name }: Pick<Resource, 'service' | 'name'>): string =>
  `"${schemaOf(service)}"."${name}"`;

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

const columnNames = (resource: Resource): string[] => Object.keys(resource.columns);

/** Inserts these records, or replaces the records with the same ids. */
export function upsertRows(
  resource: Resource,
  therapistId: string,
  records: readonly Versioned[],
): Statement {
  const rows = records.map(({ row, version }) => ({ version, _json: rowJson(resource, row), ...row }));
  return { text: upsertText(resource), values: [therapistId, JSON.stringify(rows)] };
}

const upsertTexts = new WeakMap<Resource, string>();

function upsertText(resource: Resource): string {
  const known = upsertTexts.get(resource);
  if (known !== undefined) return known;
  const own = [...columnNames(resource).filter((name) => name !== 'therapist_id'), 'version', '_json'];
  const types = entries(resource.columns)
    .filter(([name]) => name !== 'therapist_id')
    .map(([name, { kind }]) => `"${name}" ${kind.sqlType}`);
  const text = `INSERT INTO ${tableOf(resource)} (therapist_id, ${quoted(own)})
SELECT $1::uuid, ${quoted(own)} FROM json_to_recordset($2::json) AS r(${types.join(', ')}, version integer, _json text)
ON CONFLICT (therapist_id, id) DO UPDATE SET ${own
    .filter((name) => name !== 'id')
    .map((name) => `"${name}" = excluded."${name}"`)
    .join(', ')}`;
  upsertTexts.set(resource, text);
  return text;
}

export const deleteRows = (resource: Resource, therapistId: string, ids: readonly string[]): Statement => ({
  text: `DELETE FROM ${tableOf(resource)} WHERE therapist_id = $1 AND id = ANY ($2::uuid[])`,
  values: [therapistId, ids],
});

/** The rows that a lookup selects: the version and every column in definition order. */
export function selectRows(
  resource: Resource,
  therapistId: string,
  { column, values, limit }: Lookup,
): Statement {
  const type = resource.columns[column]?.kind.sqlType ?? 'text';
  const names = quoted(['version', ...columnNames(resource)]);
  const text =
    limit === undefined
      ? `SELECT ${names} FROM ${tableOf(resource)} WHERE therapist_id = $1 AND "${column}" = ANY ($2::${type}[])`
      : `SELECT r.* FROM unnest($2::${type}[]) AS wanted(value), LATERAL (
  SELECT ${names} FROM ${tableOf(resource)} WHERE therapist_id = $1 AND "${column}" = wanted.value LIMIT ${limit}
) r`;
  return { text, values: [therapistId, values] };
}

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

/** Rows in Postgres' text, as `selectRows` and a plan's targets give them, as records. */
export function readRows(resource: Resource, rows: readonly TextRow[]): Versioned[] {
  const columns = entries(resource.columns);
  return rows.map(([version, ...values]) => ({
    version: Number(version),
    row: Object.fromEntries(
      columns.map(([name, { kind }], index) => {
        const text = values[index];
        return [name, text === null || text === undefined ? null : kind.fromText(text)];
      }),
    ) as Row,
  }));
}
