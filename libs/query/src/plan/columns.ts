// From names to columns. A plan contains only columns that exist.

import { oncePer, problemFor, reject, schemaOf, type PracticeRole, type Problem } from '@practice/core';
import { hasVersion, indexedForSearch, kinds, VERSION, visibleColumns } from '@practice/resource';
import type { Column, Kind, Resource } from '@practice/resource';
import { nearest } from '../nearest.js';
import type { Field, JsonStep } from '../parse/name.js';
import { detachedOf } from './detached.js';
import type { DatabaseProblems } from './context.js';
import type { FieldType, PlannedColumn, PlannedField, PlannedFilter } from './read-plan.js';
import { checkSeen } from './permission.js';
import { noSuchOperator } from './problems.js';

/** A table in a statement: its resource, the alias that Postgres' messages use for it, and where its problems are noted. */
export interface Table {
  readonly resource: Resource;
  readonly alias: string;
  /** The role of the caller, which may not see every column. */
  readonly role: PracticeRole;
  readonly problems: DatabaseProblems;
  /** The filters that `_rank` and `_snippet` are computed from. */
  readonly searches?: readonly PlannedFilter[];
}

const text: FieldType = { sqlType: 'text', families: ['equality', 'order', 'pattern', 'fullText'] };
const rank: FieldType = { sqlType: 'double precision', families: ['equality', 'order'] };
const json: FieldType = { sqlType: 'jsonb', families: ['equality', 'order', 'fullText', 'containment'] };

/** The type of a field whose problem has been noted. It has every operator, so that no further problem is noted. */
const unresolved: FieldType = {
  sqlType: 'text',
  families: [...text.families, 'boolean', 'containment', 'array'],
};

/** Whether a problem of the field has been noted. */
export const isUnresolved = (type: FieldType): boolean => type === unresolved;

/** The columns of a resource that callers may name, in the order in which records have them. */
export const columnsOf = oncePer(
  new WeakMap<Resource, ReadonlyMap<string, PlannedColumn>>(),
  (resource) =>
    new Map(visibleColumns(resource).map(([name, column]) => [name, planned(resource, name, column)])),
);

const versionColumn: PlannedColumn = { name: VERSION, kind: kinds.integer, type: typeOf(kinds.integer) };

/**
 * A column that a read may name: one of the resource, or the version of a record. `*` does not include the version, as PostgREST's
 * does not include computed columns.
 */
function namedColumn({ resource, searches = [] }: Table, name: string): PlannedColumn | undefined {
  const own = columnsOf(resource).get(name);
  if (own !== undefined) return own;
  if (name === VERSION && hasVersion(resource)) return versionColumn;
  return searches.length === 0 ? undefined : virtualColumn(name, searches);
}

/** `_rank` and `_snippet`, for a request that searches. */
function virtualColumn(name: string, filters: readonly PlannedFilter[]): PlannedColumn | undefined {
  if (name === '_rank')
    return { ...{ name, kind: kinds.text, type: rank }, virtual: { kind: 'rank', filters } };
  return name === '_snippet'
    ? { ...{ name, kind: kinds.text, type: text }, virtual: { kind: 'snippet', filters } }
    : undefined;
}

/** The type of a column of this kind. */
export function typeOf({ sqlType, families }: Kind): FieldType {
  return { sqlType: sqlType.replace(/\(.*\)$/, ''), families };
}

/** The function of the schema that finds records by the index of a searched column. */
export const lookupOf = ({ service, name }: Resource, column: string): string =>
  `"${schemaOf(service)}"."${name}_like_${column}"`;

function planned(resource: Resource, name: string, column: Column): PlannedColumn {
  const { kind, isOneTimeSecret, lowerCase } = column;
  const detached = detachedOf(resource, name, column);
  return {
    ...{ name, kind, type: typeOf(kind) },
    ...(lowerCase === true ? { lowerCase } : {}),
    ...(indexedForSearch(resource).includes(name) ? { lookup: lookupOf(resource, name) } : {}),
    ...(detached === undefined ? {} : { detached, isOneTimeSecret: isOneTimeSecret === true }),
  };
}

/** The fields of the primary key: a row of a history is one version of a record. */
export const keyFields = (resource: Resource): PlannedField[] =>
  (resource.historyOf === undefined ? ['id'] : ['id', 'version']).map((name) =>
    wholeColumn(columnsOf(resource).get(name) as PlannedColumn),
  );

/** The id of a record. */
export const idField = (resource: Resource): PlannedField =>
  wholeColumn(columnsOf(resource).get('id') as PlannedColumn);

export const wholeColumn = (column: PlannedColumn): PlannedField => ({ column, path: [], type: column.type });

/**
 * The column that a field of a read names. Notes 42703 with the nearest column in the hint, and 42883 for a step into text.
 * @throws {Rejection} 42501 for a column that the role does not see
 */
export function planField(table: Table, { name, path }: Field): PlannedField {
  const column = namedColumn(table, name);
  if (column === undefined) {
    table.problems.note(unknownColumn(table, name));
    return { column: { name, kind: kinds.text, type: unresolved }, path: [], type: unresolved };
  }
  checkSeen(table.resource, table.role, name);
  return { column, path, type: path.length === 0 ? column.type : typeBehind(path, table) };
}

function typeBehind(path: readonly JsonStep[], { problems }: Table): FieldType {
  const textAt = path.findIndex(({ asText }) => asText);
  const next = textAt < 0 ? undefined : path[textAt + 1];
  if (next !== undefined) {
    const operand = typeof next.key === 'number' ? 'integer' : 'unknown';
    problems.note(noSuchOperator('text', next.asText ? '->>' : '->', operand));
    return unresolved;
  }
  return textAt < 0 ? json : text;
}

const OF_SEARCHES = 'It is a column of searches: add a filter with sim, fts, plfts, phfts or wfts.';

function unknownColumn({ resource, alias }: Table, name: string) {
  const near = nearest(name, columnsOf(resource).keys());
  return problemFor('42703', {
    message: `column ${alias}.${name.slice(0, 100)} does not exist`,
    hint:
      name === '_rank' || name === '_snippet'
        ? OF_SEARCHES
        : near === null
          ? null
          : `Perhaps you meant to reference the column "${alias}.${near}".`,
  });
}

/**
 * Checks a column that a write names.
 * @throws {Rejection} PGRST204, and 42501 for a column that the role does not see
 */
export function checkWritten(resource: Resource, role: PracticeRole, name: string): void {
  if (columnsOf(resource).has(name)) return checkSeen(resource, role, name);
  reject(noColumnToWrite(resource, name));
}

/** PGRST204 */
export function noColumnToWrite(resource: Resource, name: string): Problem {
  const near = nearest(name, columnsOf(resource).keys());
  return problemFor('PGRST204', {
    message: `Could not find the '${name.slice(0, 100)}' column of '${resource.name}' in the schema cache`,
    hint: near === null ? null : `Perhaps you meant the column '${near}'.`,
  });
}
