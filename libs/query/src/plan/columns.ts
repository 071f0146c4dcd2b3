// From names to columns. A planned column exists; nothing else can stand in a plan.

import { reject } from '@practice/core';
import { visibleColumns } from '@practice/resource';
import type { Kind, Resource } from '@practice/resource';
import { nearest } from '../nearest.js';
import type { Field, JsonStep } from '../parse/name.js';
import type { FieldType, PlannedColumn, PlannedField } from './read-plan.js';
import { noSuchOperator } from './problems.js';

const text: FieldType = { sqlType: 'text', families: ['equality', 'order', 'pattern', 'fullText'] };
const json: FieldType = { sqlType: 'jsonb', families: ['equality', 'order', 'fullText', 'json'] };

const planned = new WeakMap<Resource, ReadonlyMap<string, PlannedColumn>>();

/** The columns of a resource that callers may name, in the order answers have them. */
export function columnsOf(resource: Resource): ReadonlyMap<string, PlannedColumn> {
  const known = planned.get(resource);
  if (known !== undefined) return known;
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

/**
 * The column that a field of a read names.
 * @throws {Rejection} 42703 with the nearest column in the hint, 42883 for a step into text
 */
export function planField(resource: Resource, field: Field): PlannedField {
  const column = columnsOf(resource).get(field.name) ?? unknownColumn(resource, field.name);
  return { column, path: field.path, type: field.path.length === 0 ? column.type : typeBehind(field.path) };
}

function typeBehind(path: readonly JsonStep[]): FieldType {
  const textAt = path.findIndex(({ asText }) => asText);
  const next = textAt < 0 ? undefined : path[textAt + 1];
  if (next !== undefined) {
    const operand = typeof next.key === 'number' ? 'integer' : 'unknown';
    reject(noSuchOperator('text', next.asText ? '->>' : '->', operand));
  }
  return textAt < 0 ? json : text;
}

function unknownColumn(resource: Resource, name: string): never {
  const near = nearest(name, columnsOf(resource).keys());
  return reject({
    status: 400,
    code: '42703',
    message: `column ${resource.name}.${name.slice(0, 100)} does not exist`,
    hint: near === null ? null : `Perhaps you meant to reference the column "${resource.name}.${near}".`,
  });
}

/**
 * A column that a write names.
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
