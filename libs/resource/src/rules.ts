// Rules of a definition about one record. Each has a check in TypeScript, the same check as a constraint in SQL (a second line
// of defence in the database), and its wording for OpenAPI and errors.

import { oncePer } from '@practice/core';
import type { Column } from './column.js';
import { formats } from './formats.js';
import { isLonger } from './json-kind.js';
import { entries, type Row } from './row.js';
import type { Resource } from './resource.js';
import type { Value } from './kind.js';

export interface Rule {
  readonly holds: (value: NonNullable<Value>, row: Row) => boolean;
  readonly sql: (column: string) => string;
  /** The rule as an error states it: `must be one of …`. */
  readonly says: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** How a caller can keep the rule. */
  readonly hint?: (column: string) => string;
}

/** The rules of a column for values that are not null. They are made once, because every write needs them. */
export const rulesOf = oncePer(new WeakMap<Column, readonly Rule[]>(), makeRules);

function makeRules(column: Column): Rule[] {
  const { oneOf, min, max, not, notBlank, format, maxBytes, after, requiredUnless } = column;
  return [
    ...(oneOf === undefined ? [] : [isOneOf(oneOf)]),
    ...(min === undefined && max === undefined ? [] : [isBetween(min, max)]),
    ...(not === undefined ? [] : [isNot(not)]),
    ...(notBlank === true ? [isNotBlank] : []),
    ...(format === undefined ? [] : [formats[format].rule]),
    ...(maxBytes === undefined ? [] : [isAtMost(maxBytes)]),
    ...(after === undefined ? [] : [comesAfter(after, requiredUnless !== undefined)]),
  ];
}

/** The check constraint of a column's rules, named as Postgres would name it. */
export const checkName = (resource: Resource, column: string): string => `${resource.name}_${column}_check`;

/** The check constraints of a resource: name → SQL. */
export function checkConstraints(resource: Resource): readonly (readonly [string, string])[] {
  return entries(resource.columns).flatMap(([name, column]) => {
    const rules = rulesOf(column);
    return rules.length === 0
      ? []
      : [[checkName(resource, name), rules.map((rule) => rule.sql(name)).join(' AND ')] as const];
  });
}

const isOneOf = (values: readonly string[]): Rule => ({
  holds: (value) => values.includes(String(value)),
  sql: (column) => `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`,
  says: `must be one of ${values.join(', ')}`,
  schema: { enum: values },
});

const isBetween = (min: number | undefined, max: number | undefined): Rule => ({
  holds: (value) => Number(value) >= (min ?? -Infinity) && Number(value) <= (max ?? Infinity),
  sql: (column) =>
    [min === undefined ? [] : [`${column} >= ${min}`], max === undefined ? [] : [`${column} <= ${max}`]]
      .flat()
      .join(' AND '),
  says:
    min === undefined
      ? `must be at most ${max}`
      : max === undefined
        ? `must be at least ${min}`
        : `must be from ${min} to ${max}`,
  schema: { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) },
});

const isNot = (forbidden: number): Rule => ({
  holds: (value) => Number(value) !== forbidden,
  sql: (column) => `${column} <> ${forbidden}`,
  says: `must not be ${forbidden}`,
  schema: { not: { const: forbidden } },
});

const isAtMost = (bytes: number): Rule => ({
  holds: (value) => !isLonger(value, bytes),
  // Postgres writes a space after each colon and comma, so its text of an allowed value is up to twice as long.
  sql: (column) => `octet_length(${column}::text) <= ${2 * bytes}`,
  says: `must be at most ${bytes} bytes of JSON`,
  schema: {},
});

const isNotBlank: Rule = {
  holds: (value) => String(value).trim() !== '',
  sql: (column) => `btrim(${column}) <> ''`,
  says: 'must not be blank',
  schema: { minLength: 1 },
};

/** The rule that a day or time is later than another column. Canonical days and times can be compared as text. */
const comesAfter = (other: string, isFilled: boolean): Rule => ({
  holds: (value, row) =>
    row[other] === null || row[other] === undefined || String(value) > String(row[other]),
  sql: (column) => `${column} > ${other}`,
  says: `must be after ${other}`,
  schema: {},
  hint: (column) =>
    `Set ${other} and ${column} together${isFilled ? `, or set ${column} to null to compute it` : ''}.`,
});
