import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import { operators } from '../operators.js';
import { parametersOf } from './query-string.js';
import { parseQueryOptions, type QueryOptions } from './query-options.js';

const parsed = (query: string): QueryOptions => allSteps(parseQueryOptions(parametersOf(query)));

const field = (name: string, path: unknown[] = []) => ({ name, path });

/** The operator and the operand of `column=<test>`. */
function testOf(query: string) {
  const condition = parsed(query).conditions[0]?.value;
  if (condition?.kind !== 'filter') throw new Error('not a filter');
  return { operator: condition.operator, negated: condition.negated, operand: condition.operand };
}

describe('a filter', () => {
  it.each([
    ['a=eq.1', 'eq', { kind: 'value', text: '1' }],
    ['a=eq.', 'eq', { kind: 'value', text: '' }],
    ['a=eq."Ann"', 'eq', { kind: 'value', text: '"Ann"' }],
    ['a=eq.x,(y).z:w', 'eq', { kind: 'value', text: 'x,(y).z:w' }],
    ['a=eq.a%2Bb+c', 'eq', { kind: 'value', text: 'a+b c' }],
    ['a=ilike.*x*', 'ilike', { kind: 'value', text: '%x%' }],
    ['a=match.^a*', 'match', { kind: 'value', text: '^a*' }],
    ['a=like(any).{O*,P*}', 'like', { kind: 'quantified', quantifier: 'any', array: '{O%,P%}' }],
    ['a=gt(all).{4,3}', 'gt', { kind: 'quantified', quantifier: 'all', array: '{4,3}' }],
    ['a=in.(a,b)', 'in', { kind: 'list', elements: ['a', 'b'] }],
    ['a=in.("a,b","c\\"d","e\\\\")', 'in', { kind: 'list', elements: ['a,b', 'c"d', 'e\\'] }],
    ['a=in.(a"b,"c"d,")', 'in', { kind: 'list', elements: ['a"b', '"c"d', '"'] }],
    ['a=in.()', 'in', { kind: 'list', elements: [] }],
    ['a=in.(    )', 'in', { kind: 'list', elements: [] }],
    ['a=in.( ,3)', 'in', { kind: 'list', elements: ['', '3'] }],
    ['a=in. (1,2)zzz', 'in', { kind: 'list', elements: ['1', '2'] }],
    ['a=is.null', 'is', { kind: 'keyword', keyword: 'null' }],
    ['a=is.NOT_NULL', 'is', { kind: 'keyword', keyword: 'not_null' }],
    ['a=is.nullzzz', 'is', { kind: 'keyword', keyword: 'null' }],
    ['a=isdistinct.1', 'isdistinct', { kind: 'value', text: '1' }],
    ['a=fts.x y', 'fts', { kind: 'search', config: null, text: 'x y' }],
    ['a=wfts(english).x', 'wfts', { kind: 'search', config: 'english', text: 'x' }],
  ])('has an operator and an operand: %s', (query, operator, operand) => {
    expect(testOf(query)).toEqual({ operator, negated: false, operand });
  });

  it.each(Object.keys(Object.fromEntries(operators)))('%s may be negated', (name) => {
    const operand = { list: '(1)', keyword: 'null' }[operators.get(name)?.operand as string] ?? 'x';
    expect(testOf(`a=not.${name}.${operand}`)).toMatchObject({ operator: name, negated: true });
  });

  it.each([
    ['a b=eq.1', [], field('a b')],
    [' a =eq.1', [], field('a')],
    ['"a.b"=eq.1', [], field('a.b')],
    ['a-b=eq.1', [], field('a-b')],
    ['größe=eq.1', [], field('größe')],
    ['𠮷-x=eq.1', [], field('𠮷-x')],
    ['r.a=eq.1', ['r'], field('a')],
    ['r.s.a=eq.1', ['r', 's'], field('a')],
    [
      'a->b->>c=eq.1',
      [],
      field('a', [
        { asText: false, key: 'b' },
        { asText: true, key: 'c' },
      ]),
    ],
    [
      'a->-1->0x=eq.1',
      [],
      field('a', [
        { asText: false, key: -1 },
        { asText: false, key: '0x' },
      ]),
    ],
  ])('addresses its column: %s', (query, embed, expected) => {
    expect(parsed(query).conditions[0]).toMatchObject({ embed, value: { field: expected } });
  });

  it('can repeat a column', () => {
    expect(parsed('a=gte.1&a=lte.2').conditions).toHaveLength(2);
  });
});

describe('a logic tree', () => {
  it('nests, negates and tolerates spaces', () => {
    expect(
      parsed('or=( id.eq.1 , and(x.gt.1,y.not.is.null),not.and(z.in.("a,b"),w.eq.{1,2}) )').conditions[0],
    ).toMatchObject({
      embed: [],
      value: {
        kind: 'tree',
        operator: 'or',
        negated: false,
        members: [
          { field: field('id'), operand: { text: '1 ' } },
          {
            operator: 'and',
            members: [{ field: field('x') }, { negated: true, operand: { keyword: 'null' } }],
          },
          {
            operator: 'and',
            negated: true,
            members: [{ operand: { elements: ['a,b'] } }, { operand: { text: '{1,2}' } }],
          },
        ],
      },
    });
  });

  it.each([
    ['not.or=(a.eq.1)', [], 'or', true],
    ['and=(a.eq.1))', [], 'and', false],
    ['r.or=(a.eq.1)', ['r'], 'or', false],
    ['r.not.and=(a.eq.1)', ['r'], 'and', true],
  ])('can be negated and addressed: %s', (...[query, embed, operator, negated]) => {
    expect(parsed(query).conditions[0]).toMatchObject({ embed, value: { operator, negated } });
  });

  it('accepts a column with the name of an operator', () => {
    expect(parsed('or=(or.eq.1,android.eq.2)').conditions[0]).toMatchObject({
      value: { members: [{ field: field('or') }, { field: field('android') }] },
    });
  });
});

describe('select', () => {
  const column = (name: string, others: object = {}) => ({
    kind: 'column',
    field: field(name),
    alias: null,
    cast: null,
    ...others,
  });
  const embed = (target: string, others: object = {}) => ({
    kind: 'embed',
    target,
    join: 'left',
    hint: null,
    spread: false,
    alias: null,
    select: [],
    ...others,
  });

  it.each([
    ['', []],
    ['*', []],
    ['a, b', [column('a'), column('b')]],
    ['*,x:a', [{ kind: 'all' }, column('a', { alias: 'x' })]],
    ['x:a::text', [column('a', { alias: 'x', cast: 'text' })]],
    ['a::int', [column('a', { cast: 'int' })]],
    ['"a,b"', [column('a,b')]],
    [
      'a->b->>0',
      [
        column('a', {
          field: field('a', [
            { asText: false, key: 'b' },
            { asText: true, key: 0 },
          ]),
        }),
      ],
    ],
    ['count', [column('count')]],
    [
      'count()',
      [{ kind: 'aggregate', function: 'count', field: null, alias: null, cast: null, resultCast: null }],
    ],
    [
      's:a::int.sum()::text',
      [
        {
          kind: 'aggregate',
          function: 'sum',
          field: field('a'),
          alias: 's',
          cast: 'int',
          resultCast: 'text',
        },
      ],
    ],
    ['r(*)', [embed('r', { select: [{ kind: 'all' }] })]],
    ['r()', [embed('r')]],
    ['x:r!inner(a)', [embed('r', { alias: 'x', join: 'inner', select: [column('a')] })]],
    ['r!fk!inner(a)', [embed('r', { hint: 'fk', join: 'inner', select: [column('a')] })]],
    ['r!left!fk(a)', [embed('r', { hint: 'fk', select: [column('a')] })]],
    ['...r(a)', [embed('r', { spread: true, select: [column('a')] })]],
    [
      'a,r(b,s(count))',
      [column('a'), embed('r', { select: [column('b'), embed('s', { select: [column('count')] })] })],
    ],
  ])('has items: %s', (text, items) => {
    expect(parsed(`select=${encodeURIComponent(text)}`).select).toEqual(items);
  });
});

describe('order', () => {
  const term = (name: string, others: object = {}) => ({
    field: field(name),
    relation: null,
    descending: false,
    nulls: null,
    ...others,
  });

  it.each([
    ['a', [term('a')]],
    ['a.desc.nullslast,b.asc', [term('a', { descending: true, nulls: 'last' }), term('b')]],
    ['a.nullsfirst', [term('a', { nulls: 'first' })]],
    ['r(a).desc', [term('a', { relation: 'r', descending: true })]],
    ['a->>k.desc', [term('a', { field: field('a', [{ asText: true, key: 'k' }]), descending: true })]],
  ])('has terms: %s', (text, terms) => {
    expect(parsed(`order=${text}`).orders).toEqual([{ embed: [], value: terms }]);
  });
});

describe('the other parameters', () => {
  it('are assigned to embedded relations by name', () => {
    const options = parsed('r.order=a&r.s.limit=3&r.offset=1');
    expect(options.orders[0]?.embed).toEqual(['r']);
    expect(options.limits).toEqual([{ embed: ['r', 's'], value: 3 }]);
    expect(options.offsets).toEqual([{ embed: ['r'], value: 1 }]);
  });

  it('take the first of a repeated select or columns, also with quoted names', () => {
    const options = parsed('select=a&select=b&columns="a","b c"&columns=d&on_conflict=a,b');
    expect(options).toMatchObject({ columns: ['a', 'b c'], onConflict: ['a', 'b'] });
    expect(options.select).toHaveLength(1);
  });

  it('do not include a key without a value, or the API key', () => {
    expect(parsed('foo&apikey=secret&&a=eq.1').conditions).toHaveLength(1);
  });
});
