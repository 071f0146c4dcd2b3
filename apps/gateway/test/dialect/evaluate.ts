// The value of a condition for a row, as in SQL: true, false, or null if it is unknown.

import { comparable, type Row, type TestedColumn } from './columns.js';
import type { Condition, Test } from './conditions.js';

type Truth = boolean | null;

export function evaluate(said: Condition, row: Row): Truth {
  const truth =
    said.kind === 'test'
      ? tested(said, row)
      : joined(
          said.operator,
          said.members.map((one) => evaluate(one, row)),
        );
  return said.negated && truth !== null ? !truth : truth;
}

function joined(operator: 'and' | 'or', truths: readonly Truth[]): Truth {
  const decisive = operator === 'or';
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

function tested({ column, operator, operand }: Test, row: Row): Truth {
  const value = column.of(row) ?? null;
  switch (operand.form) {
    case 'keyword':
      return isKeyword(value, operand.text.toLowerCase());
    case 'list':
    case 'any':
    case 'all': {
      const comparison = operand.form === 'list' ? 'eq' : operator;
      const truths = operand.elements.map((element) => compared(comparison, { column, value }, element));
      return joined(operand.form === 'all' ? 'and' : 'or', truths);
    }
    case 'value':
      return compared(operator, { column, value }, operand.text);
  }
}

function isKeyword(value: unknown, keyword: string): boolean {
  if (keyword === 'null' || keyword === 'unknown') return value === null;
  return keyword === 'not_null' ? value !== null : value === (keyword === 'true');
}

interface Held {
  readonly column: TestedColumn;
  readonly value: unknown;
}

function compared(operator: string, { column: { kind }, value }: Held, text: string | null): Truth {
  if (operator === 'isdistinct') return value === null || comparable(kind, value) !== comparable(kind, text);
  if (value === null || text === null) return null;
  const [own, other] = [comparable(kind, value), comparable(kind, text)];
  return comparisons[operator]?.(own, other) ?? matches(operator, String(value), text);
}

type Comparable = string | number;

const comparisons: Readonly<Record<string, (own: Comparable, other: Comparable) => boolean>> = {
  eq: (own, other) => own === other,
  neq: (own, other) => own !== other,
  gt: (own, other) => own > other,
  gte: (own, other) => own >= other,
  lt: (own, other) => own < other,
  lte: (own, other) => own <= other,
};

function matches(operator: string, value: string, text: string): boolean {
  const flags = operator.startsWith('i') ? 'isu' : 'su';
  return new RegExp(operator.endsWith('like') ? expressionOf(text) : text, flags).test(value);
}

/** LIKE's pattern: `*` and `%` are any text, `_` is one character, and a backslash makes the next character literal. */
function expressionOf(pattern: string): string {
  const parts = pattern.replaceAll('*', '%').match(/\\.|[^]/gu) ?? [];
  const expressions = parts.map((part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part).replace(
      /[$()*+./?[\\\]^{|}]/gu,
      '\\$&',
    );
  });
  return `^${expressions.join('')}$`;
}
