// From names to columns. A planned column exists; a plan can hold nothing else.

import { reject } from '@practice/core';
import { kinds, visibleColumns } from '@practice/resource';
import type { Kind, Resource } from '@practice/resource';
import { nearest } from '../nearest.js';
import type { Field, JsonStep } from '../parse/name.js';
import type { DatabaseProblems } from './error-precedence.js';
import type { FieldType, PlannedColumn, PlannedField } from './read-plan.js';
import { noSuchOperator } from './problems.js';

/** A table in a statement: its resource, the alias that Postgres' messages use for it, and where its problems are noted. */
export interface Table {
  readonly resource: Resource;
  readonly alias: string;
  readonly problems: DatabaseProblems;
}

const text: FieldType = { sqlType: 'text', families: ['equality', 'order', 'pattern', 'fullText'] };
const json: FieldType = { sqlType: 'jsonb', families: ['equality', 'order', 'fullText', 'json'] };

/** The type of a field whose problem has been noted. It has every operator, so that no further problem is noted. */
const unresolved: FieldType = { sqlType: 'text', families: [...text.families, 'boolean', 'json'] };

const planned = new WeakMap<Resource, ReadonlyMap<string, PlannedColumn>>();

/** The columns of a resource that callers may name, in the order in which records have them. */
export function columnsOf(resource: Resource): ReadonlyMap<string, PlannedColumn> {
  const cached = planned.get(resource);
  if (cached !== undefined) return cached;
  const columns = new Map(
    visibleColumns(resource).map(([name, { kind }]) => [name, { name, kind, type: typeOf(kind) }]),
  );
  planned.set(resource, columns);
  return columns;
}

const typeOf = ({ sqlType, families }: Kind): FieldType => ({
  sqlType: sqlType.replace(/\(.*\)$/, ''),
  families,
});

/** The primary key of a resource. */
export const idField = (resource: Resource): PlannedField =>
  wholeColumn(columnsOf(resource).get('id') as PlannedColumn);

export const wholeColumn = (column: PlannedColumn): PlannedField => ({ column, path: [], type: column.type });

/** The column that a field of a read names. Notes 42703 with the nearest column in the hint, and 42883 for a step into text. */
export function planField(table: Table, { name, path }: Field): PlannedField {
  const column = columnsOf(table.resource).get(name);
  if (column === undefined) {
    table.problems.note(unknownColumn(table, name));
    return { column: { name, kind: kinds.text, type: unresolved }, path: [], type: unresolved };
  }
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

function unknownColumn({ resource, alias }: Table, name: string) {
  const near = nearest(name, columnsOf(resource).keys());
  return {
    status: 400,
    code: '42703',
    message: `column ${alias}.${name.slice(0, 100)} does not exist`,
    hint: near === null ? null : `Perhaps you meant to reference the column "${alias}.${near}".`,
  };
}

/**
 * Checks a column that a write names.
 * @throws {Rejection} PGRST204
 */
export function checkWritten(resource: Resource, name: string): void {
  if (columnsOf(resource).has(name)) return;
  const near = nearest(name, columnsOf(resource).keys());
  reject({
    status: 400,
    code: 'PGRST204',
    message: `Could not find the '${name.slice(0, 100)}' column of '${resource.name}' in the schema cache`,
    hint: near === null ? null : `Perhaps you meant the column '${near}'.`,
  });
}
