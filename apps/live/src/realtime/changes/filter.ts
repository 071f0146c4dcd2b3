// The filter of a subscription to changes: conditions `column=[not.]operator.value`, separated by commas. All conditions must match.

import { Rejection } from '@practice/core';
import { type Operand, parseTest } from '@practice/query';
import type { Column, Kind, Row, Value } from '@practice/resource';
import { limits } from '../limits.js';
import { isLike } from './like.js';

/** A quoted value at the start of a value, a parenthesis, a comma, or any other character. */
const TOKEN = /(?<=[.(,])"(?:[^"\\]|\\.)*"|[^]/g;

/** The parts of a filter: `id=gt.0,status=in.(a,b),name=eq."a,b"` has three. Commas in quotes or parentheses do not separate. */
export function splitConditions(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth <= 0) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts;
}

/** The text within the quotes of a value that is quoted as a whole; any other text unchanged. */
export function unquoted(text: string): string {
  const match = /^"((?:[^"\\]|\\.)*)"$/s.exec(text);
  return match === null ? text : (match[1] ?? '').replace(/\\(.)/gs, '$1');
}

/** Whether a record meets the condition. */
export type Condition = (record: Row) => boolean;

/** Thrown for a description of a subscription that is invalid. The message is for the client. */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError';
}

/** A test of a value that is not null, in the canonical form of its kind. */
type Test = (value: Value) => boolean;

/**
 * Reads a filter.
 * @param columns the columns that the subscriber sees
 * @throws {SubscriptionError}
 */
export function readFilter(text: string, columns: ReadonlyMap<string, Column>): readonly Condition[] {
  if (text.trim() === '') return [];
  checkBound('the filter has', text, { unit: 'characters', most: limits.filterCharacters });
  const parts = splitConditions(text);
  checkBound('the filter has', parts, { unit: 'conditions', most: limits.conditions });
  return parts.map((part) => conditionOf(part.trim(), columns));
}

function conditionOf(text: string, columns: ReadonlyMap<string, Column>): Condition {
  const at = text.indexOf('=');
  const name = at < 0 ? '' : text.slice(0, at);
  const column = columns.get(name);
  if (at < 0)
    throw new SubscriptionError('Error parsing `filter` params: a condition is column=operator.value');
  if (column === undefined) throw new SubscriptionError(`invalid column for filter ${name.slice(0, 63)}`);
  const { negated, operator, operand } = testOf(text.slice(at + 1));
  checkOperand(`${name}=${operator}`, operator, operand);
  const judge = judgeOf(operator, operand, column.kind);
  return (record) => {
    const verdict = judge(record[name] ?? null);
    return verdict !== null && verdict !== negated;
  };
}

/** Limits the time that the condition takes for each change. */
function checkOperand(condition: string, operator: string, operand: Operand): void {
  if (operand.kind === 'list')
    checkBound(`${condition} has`, operand.elements, { unit: 'values', most: limits.listedValues });
  else if (operand.kind === 'value' && operator.endsWith('like'))
    checkBound(`${condition} has`, operand.text, { unit: 'characters', most: limits.patternCharacters });
}

function checkBound(
  begin: string,
  { length }: { readonly length: number },
  { unit, most }: { readonly unit: string; readonly most: number },
): void {
  if (length <= most) return;
  const reason = `${begin} ${length} ${unit}; at most ${most} are allowed`;
  throw new SubscriptionError(`Error parsing \`filter\` params: ${reason}`);
}

function testOf(text: string): ReturnType<typeof parseTest> {
  try {
    return parseTest(text);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { message, details } = error.problem;
    const reason = typeof details === 'string' ? details : message;
    throw new SubscriptionError(`Error parsing \`filter\` params: ${reason}`);
  }
}

/** Whether a value meets the condition; null where the result in SQL is null, because a null is compared. */
type Judge = (value: Value) => boolean | null;

function judgeOf(operator: string, operand: Operand, kind: Kind): Judge {
  if (operand.kind === 'keyword') return keywordJudge(operand.keyword, kind);
  if (operator === 'isdistinct' && operand.kind === 'value') {
    const wanted = canonical(unquoted(operand.text), kind);
    return (value) => value === null || !isEqual(canonical(value, kind), wanted);
  }
  const test = comparisonOf(operator, operand, kind);
  return (value) => (value === null ? null : test(canonical(value, kind)));
}

function keywordJudge(keyword: string, kind: Kind): Judge {
  if (keyword === 'null') return (value) => value === null;
  if (keyword === 'not_null') return (value) => value !== null;
  if (kind.name !== 'boolean')
    throw new SubscriptionError(`Error parsing \`filter\` params: is.${keyword} needs a boolean column`);
  if (keyword === 'unknown') return (value) => value === null;
  return (value) => value === (keyword === 'true');
}

function comparisonOf(operator: string, operand: Operand, kind: Kind): Test {
  if (operator === 'in' && operand.kind === 'list') {
    const wanted = new Set(operand.elements.map((element) => JSON.stringify(canonical(element, kind))));
    return (value) => wanted.has(JSON.stringify(value));
  }
  if (operand.kind !== 'value') return unsupported(operator);
  if (operator === 'like' || operator === 'ilike') return patternTest(operator, unquoted(operand.text), kind);
  const isMet = comparisons[operator] ?? unsupported(operator);
  if (!kind.families.includes(operator === 'eq' || operator === 'neq' ? 'equality' : 'order'))
    return unsupported(operator);
  const wanted = canonical(unquoted(operand.text), kind);
  return (value) => isMet(compare(value, wanted, kind));
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

/** Refuses an operator. Regular expressions are not supported: an expression from a client could take any time. */
function unsupported(operator: string): never {
  throw new SubscriptionError(`Error parsing \`filter\` params: operator ${operator} is not supported`);
}

/** A value in the canonical form of its kind. @throws {SubscriptionError} for a value that the column cannot have */
function canonical(given: unknown, kind: Kind): Value {
  const parsed = kind.parse(given);
  if (parsed.ok) return parsed.value as Value;
  throw new SubscriptionError(`Error parsing \`filter\` params: ${parsed.problem.message}`);
}

const isEqual = (one: Value, other: Value): boolean =>
  typeof one === 'object' ? JSON.stringify(one) === JSON.stringify(other) : one === other;

/** The order of two values. Texts are compared by the code points of their characters, decimals by their value. */
function compare(one: Value, other: Value, kind: Kind): number {
  if (kind.name === 'decimal') return Number(one) - Number(other);
  if (typeof one === 'number' || typeof one === 'boolean') return Number(one) - Number(other);
  if (isEqual(one, other)) return 0;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function patternTest(operator: string, pattern: string, kind: Kind): Test {
  if (!kind.families.includes('pattern')) return unsupported(operator);
  const fold = (text: string): string => (operator === 'ilike' ? text.toLowerCase() : text);
  const folded = fold(pattern.normalize('NFC'));
  return (value) => isLike(fold(String(value)), folded);
}
