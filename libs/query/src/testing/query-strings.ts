// Random query strings for property tests.

import fc from 'fast-check';
import { operators } from '../index.js';

/** Part of every generated value, so that a test can detect values where they are forbidden. */
export const MARK = 'q0z7';

const nasty = fc.constantFrom(
  "'; drop table visits; --",
  '$1',
  '"',
  '\\',
  '%00',
  '%zz',
  '%ff',
  '%ed%a0%80',
  '\0',
  '{',
  '}',
  '((',
  '))',
  ',',
  '.',
  '*',
  '->',
  '::',
  '&',
  '=',
  '😀',
  '\ud800',
);
const marked = fc
  .tuple(fc.string({ maxLength: 8 }), fc.option(nasty, { nil: '' }))
  .map(([text, extra]) => `${MARK}${text}${extra}`);
const value = fc.oneof(marked, marked.map(encodeOrKeep), fc.constantFrom('1', 'null', 'true', '2026-05-01'));
const column = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'id',
      'day',
      'start_time',
      'guest',
      'seats',
      'price',
      'paid',
      'extras->a',
      'extras->>a',
      'therapist_id',
    ),
  },
  { weight: 1, arbitrary: fc.oneof(nasty, fc.string({ maxLength: 5 })) },
);
const operator = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('eq', 'eq', 'neq', 'gt', 'in', 'in', 'is', ...operators.keys()) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
);
const operand = fc.oneof(
  value.map((text) => `.${text}`),
  fc
    .array(value, { maxLength: 5 })
    .map((texts) => `.(${texts.map((text, index) => (index % 2 === 0 ? text : `"${text}"`)).join(',')})`),
  value.map((text) => `(any).{${text}}`),
  fc.constantFrom('.null', '.not_null', '.true', '(english).x'),
);
const test = fc.tuple(fc.constantFrom('', '', 'not.'), operator, operand).map((parts) => parts.join(''));
const tree = fc.letrec<{ member: string; group: string }>((tie) => ({
  member: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(column, test).map((parts) => parts.join('.')),
    tie('group'),
  ),
  group: fc
    .tuple(fc.constantFrom('and', 'or', 'not.and', 'not.or'), fc.array(tie('member'), { maxLength: 4 }))
    .map(([name, members]) => `${name}(${members.join(',')})`),
}));
const ordinary = fc.oneof(
  fc.tuple(column, test).map((parts) => parts.join('=')),
  fc
    .tuple(fc.constantFrom('and', 'or', 'not.or'), fc.array(tree.member, { minLength: 1, maxLength: 4 }))
    .map(([name, members]) => `${name}=(${members.join(',')})`),
  fc
    .array(
      fc.tuple(column, fc.constantFrom('', '::text', '::int', `::${MARK}`, '.sum()', '.month()', '(id)')),
    )
    .map((items) => `select=${items.map((parts) => parts.join('')).join(',')}`),
  fc
    .array(fc.tuple(column, fc.constantFrom('', '.asc', '.desc.nullslast', '.up')), { minLength: 1 })
    .map((terms) => `order=${terms.map((parts) => parts.join('')).join(',')}`),
  fc
    .tuple(fc.constantFrom('limit', 'offset', 'columns', 'rooms.limit', 'on_conflict'), value)
    .map((parts) => parts.join('=')),
);
const embedding = fc
  .tuple(
    fc.constantFrom(
      'rooms(name)',
      'r:rooms!inner(*)',
      'rooms!room_id(name,visits(id))',
      '...rooms(name)',
      'rooms()',
    ),
    fc.constantFrom('rooms.name=', 'rooms=', 'rooms.visits.day=', 'r.name='),
    test,
    fc.constantFrom(
      '',
      '&order=rooms(name)',
      '&rooms.limit=3',
      '&rooms.or=(name.is.null)',
      '&or=(rooms.is.null)',
    ),
  )
  .map(([select, name, test, more]) => `select=id,${select}&${name}${test}${more}`);
const garbage = fc.oneof(
  fc.string({ maxLength: 30, unit: 'binary' }),
  nasty,
  fc.nat({ max: 5_000 }).map((depth) => `or=${'('.repeat(depth)}`),
  fc.nat({ max: 5_000 }).map((depth) => `or=${'(and'.repeat(depth)}(id.eq.1)`),
  fc.nat({ max: 5_000 }).map((depth) => `select=${'rooms('.repeat(depth)}`),
);
const parameter = fc.oneof(
  { weight: 12, arbitrary: ordinary },
  { weight: 3, arbitrary: embedding },
  { weight: 1, arbitrary: garbage },
);
/** Query strings of the dialect, well-formed and not. */
export const queryStrings = fc
  .array(parameter, { minLength: 1, maxLength: 3 })
  .map((parameters) => parameters.join('&'));

function encodeOrKeep(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}
