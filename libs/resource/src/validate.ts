// From a body's JSON object to a record: first the kind of each value, then the rules of the whole record.
// Codes and messages equal Postgres' for the same mistake.

import { reject, Rejection, type Problem } from '@practice/core';
import { isDetached, type Column } from './column.js';
import { checkName, rulesOf, type Rule } from './rules.js';
import { entries, type Row } from './row.js';
import type { Resource } from './resource.js';
import type { Value } from './kind.js';
import { formatOf } from './value-format.js';

/** The values that the server adds to a new record. */
export interface Defaults {
  readonly therapistId: string;
  readonly id: () => string;
  readonly now: string;
  /** Now, unless it is given. */
  readonly createdAt?: string | undefined;
}

const TEXT_LENGTH = 65_536;

/**
 * A new record from a body, with every default filled in. Columns that a decider fills stay null.
 * @param body column → JSON value; columns that the resource does not have must have been refused before
 * @throws {Rejection} for a malformed value, another practice's `therapist_id`, a missing column or a broken rule
 */
export function newRecord(
  resource: Resource,
  body: Readonly<Record<string, unknown>>,
  defaults: Defaults,
): Row {
  const given = checkedValues(resource, body, defaults.therapistId);
  const standard: Row = {
    therapist_id: defaults.therapistId,
    created_at: defaults.createdAt ?? defaults.now,
    ...(given['id'] == null ? { id: defaults.id() } : {}),
  };
  const row: Row = Object.fromEntries(
    entries(resource.columns).map(([name, column]) => [
      name,
      isDetached(column) ? null : (given[name] ?? standard[name] ?? absent(name, column, given)),
    ]),
  );
  const whole: Row = Object.assign(row, { updated_at: defaults.now });
  checkRecord(resource, whole, { before: 'create' });
  return whole;
}

/** A column that a body names keeps its null: only an absent one takes the default. */
const absent = (name: string, column: Column, given: Row): Value =>
  name in given ? null : (column.default ?? null);

/**
 * The values of a body, each in its kind's canonical form.
 * @throws {Rejection} for a malformed value or another practice's `therapist_id`
 */
export function checkedValues(
  resource: Resource,
  body: Readonly<Record<string, unknown>>,
  therapistId: string,
): Row {
  const values = Object.entries(body).map(([name, input]) => [
    name,
    namedValue(name, resource.columns[name] as Column, input),
  ]);
  const row = Object.fromEntries(values) as Row;
  const practice = row['therapist_id'];
  if (practice !== undefined && practice !== null && practice !== therapistId)
    reject(foreignPractice(resource));
  return row;
}

/** A refusal names the column and the format of its values. */
function namedValue(name: string, column: Column, input: unknown): Value {
  try {
    return checkedValue(column, input);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { details } = error.problem;
    const format = `${name} takes ${formatOf(column, lengthOf(column))}.`;
    throw new Rejection({ ...error.problem, details: details ? `${format} ${String(details)}` : format });
  }
}

const lengthOf = ({ maxLength = TEXT_LENGTH }: Column): number => maxLength;

/** 42501: the row would belong to another practice. */
const foreignPractice = (resource: Resource): Problem => ({
  status: 403,
  code: '42501',
  message: `new row violates row-level security policy for table "${resource.name}"`,
});

/**
 * A JSON value in the canonical form of a column's kind.
 * @throws {Rejection} for a malformed or too long value
 */
export function checkedValue(column: Column, input: unknown): Value {
  if (input === null || input === undefined) return null;
  const folded = column.lowerCase === true && typeof input === 'string' ? input.trim().toLowerCase() : input;
  const result = column.kind.parse(folded);
  if (!result.ok) return reject(result.problem);
  const value = result.value as Value;
  const limit = lengthOf(column);
  if (typeof value === 'string' && value.length > limit && [...value].length > limit) {
    reject({ status: 400, code: '22001', message: `value too long for type character varying(${limit})` });
  }
  return value;
}

/**
 * Checks a record as a whole.
 * @param options.before the decision that the record still waits for: columns that a decider fills may be null until then
 * @param options.replaced the record before: a personal value that is null there was erased, and may stay null
 * @throws {Rejection} 23502 for a null in a column that may not be null, 23514 for a broken rule
 */
export function checkRecord(
  resource: Resource,
  row: Row,
  options: { readonly before?: 'create' | 'change'; readonly replaced?: Row | null } = {},
): void {
  for (const [name, column] of entries(resource.columns)) {
    const value = row[name] ?? null;
    if (value === null) {
      const mayBeNull = column.nullable || isErased(column, options.replaced?.[name]);
      if (!mayBeNull && !isFilled(column, row, options.before)) reject(missing(resource, name));
      continue;
    }
    const broken = rulesOf(column).find((rule) => !rule.holds(value, row));
    if (broken !== undefined) reject(brokenRule(resource, name, broken));
  }
}

/** Only an erasure makes a personal value null that may not be null. */
const isErased = ({ personal }: Column, before: Value | undefined): boolean =>
  personal !== undefined && before === null;

/** Whether the decider will fill the column: in a new record from one of the other columns, in a change also from the record. */
const isFilled = ({ requiredUnless }: Column, row: Row, before: 'create' | 'change' | undefined): boolean =>
  requiredUnless !== undefined &&
  (before === 'change' ||
    (before === 'create' && [requiredUnless].flat().some((name) => row[name] !== null)));

/** 23502: the column of a record has no value. */
export const missing = (resource: Pick<Resource, 'name'>, column: string): Problem => ({
  status: 400,
  code: '23502',
  message: `null value in column "${column}" of relation "${resource.name}" violates not-null constraint`,
});

const brokenRule = (resource: Resource, column: string, { says, hint }: Rule): Problem =>
  brokenCheck(resource, column, {
    details: `${column} ${says}.`,
    ...(hint === undefined ? {} : { hint: hint(column) }),
  });

/** 23514: a value that a rule of the column does not allow. */
export const brokenCheck = (
  resource: Resource,
  column: string,
  says: Pick<Problem, 'details' | 'hint'>,
): Problem => ({
  status: 400,
  code: '23514',
  message: `new row for relation "${resource.name}" violates check constraint "${checkName(resource, column)}"`,
  ...says,
});
