// Random conditions of the dialect's grammar, and their URL parameters.

import fc from 'fast-check';
import type { TestedColumn } from './columns.js';

export interface Test {
  readonly kind: 'test';
  readonly column: TestedColumn;
  readonly negated: boolean;
  readonly operator: string;
  readonly operand: Operand;
}

export type Operand =
  | { readonly form: 'value'; readonly text: string }
  | { readonly form: 'any' | 'all'; readonly elements: readonly (string | null)[] }
  | { readonly form: 'list'; readonly elements: readonly string[] }
  | { readonly form: 'keyword'; readonly text: string };

export interface Tree {
  readonly kind: 'tree';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly Condition[];
}

export type Condition = Test | Tree;

const EQUALITY = ['eq', 'neq', 'isdistinct'];
const ORDER = ['gt', 'gte', 'lt', 'lte'];
const PATTERN = ['like', 'ilike', 'match', 'imatch'];
const QUANTIFIED = new Set(['eq', ...ORDER, 'like', 'ilike', 'match', 'imatch']);
const EXPRESSIONS = ['^a', 'e$', '[bc].', 'o+g', '^(ant|dog)$', 'B', 'a.b', '\\(in\\)'];

/** The operators for a column. The order of text depends on its collation, so it is not tested. */
const operatorsOf = ({ kind }: TestedColumn): readonly string[] => {
  if (kind === 'json') return EQUALITY;
  if (kind === 'text') return [...EQUALITY, ...PATTERN];
  return kind === 'word' ? [...EQUALITY, ...ORDER, ...PATTERN] : [...EQUALITY, ...ORDER];
};

const pattern = (pool: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...pool, 'o', 'B', 'a'),
      fc.constantFrom('*', '%', '', '_'),
      fc.constantFrom('*', '', '%'),
    )
    .map(([text, before, behind]) => `${before}${text}${behind}`)
    .filter((text) => !/\\$/.test(text));

function operandText(column: TestedColumn, operator: string): fc.Arbitrary<string> {
  if (operator === 'like' || operator === 'ilike') return pattern(column.pool);
  if (operator === 'match' || operator === 'imatch') return fc.constantFrom(...EXPRESSIONS);
  return fc.constantFrom(...column.pool);
}

function compared(column: TestedColumn, operator: string): fc.Arbitrary<Operand> {
  const text = operandText(column, operator);
  const one = text.map((value): Operand => ({ form: 'value', text: value }));
  if (!QUANTIFIED.has(operator)) return one;
  const many = fc.record({
    form: fc.constantFrom('any', 'all'),
    elements: fc.array(fc.option(text, { freq: 9 }), { maxLength: 3 }),
  });
  return fc.oneof({ weight: 3, arbitrary: one }, many);
}

function test(column: TestedColumn): fc.Arbitrary<Test> {
  const keywords =
    column.kind === 'boolean' ? ['null', 'true', 'false', 'unknown'] : ['null', 'not_null', 'NULL'];
  const asked = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...operatorsOf(column))
        .chain((operator) => compared(column, operator).map((operand) => ({ operator, operand }))),
    },
    fc
      .array(fc.constantFrom(...column.pool), { maxLength: 3 })
      .map((elements) => ({ operator: 'in', operand: { form: 'list', elements } as Operand })),
    fc
      .constantFrom(...keywords)
      .map((text) => ({ operator: 'is', operand: { form: 'keyword', text } as Operand })),
  );
  return fc.tuple(fc.boolean(), asked).map(([negated, more]) => ({ kind: 'test', column, negated, ...more }));
}

/** Tests on these columns, and trees of tests down to this depth. */
export function condition(columns: readonly TestedColumn[], maxDepth = 4): fc.Arbitrary<Condition> {
  const single = fc.constantFrom(...columns).chain(test);
  return fc.letrec<{ any: Condition; tree: Condition }>((tie) => ({
    any: fc.oneof({ depthSize: 'small', maxDepth, withCrossShrink: true }, single, tie('tree')),
    tree: fc.record({
      kind: fc.constant('tree'),
      negated: fc.boolean(),
      operator: fc.constantFrom('and', 'or'),
      members: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
    }),
  })).any;
}

/**
 * The URL parameter for a condition.
 * @param prefix path to the embed whose records the condition is about, with a dot at the end
 */
export function parameterOf(said: Condition, prefix = ''): string {
  if (said.kind === 'tree')
    return `${prefix}${not(said)}${said.operator}=${encodeURIComponent(membersOf(said))}`;
  const value = not(said) + testText(said, (text) => text);
  return `${prefix}${encodeURIComponent(said.column.name)}=${encodeURIComponent(value)}`;
}

const membersOf = ({ members }: Tree): string =>
  `(${members
    .map((member) =>
      member.kind === 'tree'
        ? `${not(member)}${member.operator}${membersOf(member)}`
        : `${member.column.name}.${not(member)}${testText(member, quoted)}`,
    )
    .join(',')})`;

const not = ({ negated }: Condition): string => (negated ? 'not.' : '');

function testText({ operator, operand }: Test, valueText: (text: string) => string): string {
  switch (operand.form) {
    case 'value':
      return `${operator}.${valueText(operand.text)}`;
    case 'any':
    case 'all': {
      const literal = `{${operand.elements.map((element) => (element === null ? 'NULL' : quoted(element))).join(',')}}`;
      return `${operator}(${operand.form}).${valueText(literal)}`;
    }
    case 'list':
      return `${operator}.(${operand.elements.map(quoted).join(',')})`;
    case 'keyword':
      return `${operator}.${operand.text}`;
  }
}

/** A text in quotes, as in trees, lists and arrays. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
