// Converts the JSON object of a body to a record: first it checks the kind of each value, then the rules of the whole record.
// The codes are the ones that Postgres has for the same mistake. Messages name the column, the value and the expected format.

import { problemFor, reject, type Problem } from '@practice/core';
import { isDetached, type Column } from './column.js';
import { isLonger } from './json-kind.js';
import { rulesOf, type Rule } from './rules.js';
import { entries, makeRow, type Row } from './row.js';
import { STANDARD_COLUMNS, type Resource } from './resource.js';
import { shownInput, type Value } from './kind.js';

/** The values that the server adds to a new record. */
export interface Defaults {
  readonly therapistId: string;
  readonly id: () => string;
  readonly now: string;
  /** The time of creation; `now` if absent. */
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
  const row = makeRow(Object.keys(resource.columns), (name) => {
    const column = resource.columns[name] as Column;
    return isDetached(column) ? null : (given[name] ?? standard[name] ?? absent(name, column, given));
  });
  const whole: Row = Object.assign(row, { updated_at: defaults.now });
  checkRecord(resource, whole, { before: 'create' });
  return whole;
}

/** The value of a column without a value. A column that the body names stays null; only an absent column takes the default. */
const absent = (name: string, column: Column, given: Row): Value =>
  name in given ? null : (column.default ?? null);

/**
 * The values of a body, each in its kind's canonical form. A standard column with null counts as left out.
 * @throws {Rejection} for a malformed value or another practice's `therapist_id`
 */
export function checkedValues(
  resource: Resource,
  body: Readonly<Record<string, unknown>>,
  therapistId: string,
): Row {
  const names = Object.keys(body).filter((name) => body[name] !== null || !STANDARD_COLUMNS.includes(name));
  const row = makeRow(names, (name) => checkedValue(name, resource.columns[name] as Column, body[name]));
  const practice = row['therapist_id'];
  if (practice !== undefined && practice !== therapistId) reject(foreignPractice);
  return row;
}

/** 42501: the row would belong to another practice. */
const foreignPractice: Problem = problemFor('42501', {
  message: 'therapist_id must be the id of your practice',
  hint: 'Leave it out: the server sets it.',
});

/**
 * A JSON value in the canonical form of a column's kind.
 * @param name the name of the column or argument, for errors
 * @throws {Rejection} for a malformed or too long value
 */
export function checkedValue(name: string, column: Column, input: unknown): Value {
  if (input === null || input === undefined) return null;
  // The rule of the column refuses this too, without reading the document once more.
  if (isTooLong(column, input)) return [' '.repeat(column.maxBytes ?? 0)];
  const result = column.kind.parse(column.lowerCase === true ? folded(input) : input);
  if (!result.ok) return reject(unexpected(name, column, { input, problem: result.problem }));
  const value = result.value as Value;
  const limit = column.maxLength ?? TEXT_LENGTH;
  // The second half of a pair does not count. A list of a million characters would take 60 ms.
  if (typeof value === 'string' && value.length > limit)
    checkLength(name, value.replace(/[\udc00-\udfff]/g, '').length, limit);
  return value;
}

const folded = (input: unknown): unknown => (typeof input === 'string' ? input.trim().toLowerCase() : input);

/**
 * An escape has up to six bytes for one. A text beyond that is refused unread, even if most of it is white space. Escapes and white
 * space of shorter texts do not count, as these texts are measured once they are parsed.
 */
const LONGEST_ESCAPE = 6;

/** Whether a document is longer than its column permits, or its text is so long that it need not be parsed. */
const isTooLong = ({ maxBytes }: Column, input: unknown): boolean =>
  maxBytes !== undefined &&
  (typeof input === 'string'
    ? Buffer.byteLength(input) > LONGEST_ESCAPE * maxBytes
    : typeof input === 'object' && !Array.isArray(input) && isLonger(input, maxBytes));

function checkLength(name: string, length: number, limit: number): void {
  if (length <= limit) return;
  const message = `${name} must be at most ${limit} characters long, not ${length}`;
  reject('22001', { message });
}

interface Refused {
  readonly input: unknown;
  readonly problem: Problem;
}

const unexpected = (name: string, column: Column, { input, problem }: Refused): Problem => ({
  status: problem.status,
  code: problem.code,
  message: `${name} must be ${expected(column, problem)}${problem.code === '22P05' ? '' : notShown(column, input)}`,
  ...(problem.hint != null && { hint: problem.hint }),
});

/** The format of a column. A number out of range in a document is the only mistake of the document. */
const expected = ({ kind }: Column, { code }: Problem): string =>
  code === '22003' && kind.name === 'json' ? `${kind.expects} whose numbers are doubles` : kind.expects;

/** The end of an error message with the value. Errors do not repeat confidential values. */
const notShown = ({ confidential }: Column, input: unknown): string =>
  confidential === true ? '' : `, not "${shownInput(input)}"`;

/** The message of an error for a broken rule, with the value. */
export const ruleMessage = (name: string, column: Column, { rule, value }: Broken): string =>
  `${name} ${rule.says}${rule.says.startsWith('must be ') && typeof value !== 'object' ? notShown(column, value) : ''}`;

interface Broken {
  readonly rule: Rule;
  readonly value: Value;
}

/**
 * Checks a record as a whole.
 * @param options.before the kind of decision that the record still waits for; until then, columns that a decider fills may be null
 * @param options.replaced the previous record; a personal value that is null in it was erased, and may stay null
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
    if (broken !== undefined) reject(brokenRule(name, column, { rule: broken, value }));
  }
}

/** Whether a required value is null because it was erased: only an erasure sets a required personal value to null. */
const isErased = ({ personal }: Column, before: Value | undefined): boolean =>
  personal !== undefined && before === null;

/** Whether the decider will fill the column: in a new record from one of the other columns, in a change also from the stored record. */
const isFilled = ({ requiredUnless }: Column, row: Row, before: 'create' | 'change' | undefined): boolean =>
  requiredUnless !== undefined &&
  (before === 'change' ||
    (before === 'create' && [requiredUnless].flat().some((name) => row[name] !== null)));

/** 23502: the column of a record has no value. */
export function missing({ columns }: Pick<Resource, 'columns'>, name: string): Problem {
  const { kind, requiredUnless = [] } = columns[name] as Column;
  const others = [requiredUnless].flat();
  return problemFor('23502', {
    message: `${name} is required: ${kind.expects}`,
    ...(others.length > 0 && { hint: `It may be left out with ${others.join(' or ')}.` }),
  });
}

const brokenRule = (name: string, column: Column, broken: Broken): Problem =>
  problemFor('23514', {
    message: ruleMessage(name, column, broken),
    details: `${name} ${broken.rule.says}.`,
    ...(broken.rule.hint !== undefined && { hint: broken.rule.hint(name) }),
  });

/** 23514: a value that a rule of the resource does not allow. */
export const brokenCheck = (details: string, hint?: string): Problem =>
  problemFor('23514', {
    message: details.replace(/\.$/, ''),
    details,
    ...(hint !== undefined && { hint }),
  });
