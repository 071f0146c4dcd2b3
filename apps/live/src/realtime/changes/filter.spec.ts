import { describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import type { Resource, Row } from '@practice/resource';
import fc from 'fast-check';
import { readFilter, splitConditions, SubscriptionError, unquoted } from './filter.js';
import { columnsFor } from './subscription.js';

const appointments = catalog.resources.get('appointments') as Resource;
const menu = catalog.resources.get('service_menu') as Resource;
const matches = (filter: string, record: object, of = appointments): boolean =>
  readFilter(filter, columnsFor(of, 'owner')).every((condition) => condition(record as Row));

describe('a filter', () => {
  it.each<[string, object, boolean]>([
    ['status=eq.confirmed', { status: 'confirmed' }, true],
    ['status=eq.confirmed', { status: 'scheduled' }, false],
    ['status=neq.confirmed', { status: 'scheduled' }, true],
    ['notes=neq.a', { notes: null }, false],
    ['notes=not.eq.a', { notes: null }, false],
    ['notes=isdistinct.a', { notes: null }, true],
    ['notes=isdistinct."a,b"', { notes: 'a,b' }, false],
    ['notes=not.isdistinct."a,b"', { notes: 'a,b' }, true],
    ['notes=is.null', { notes: null }, true],
    ['notes=not.is.null', { notes: 'a' }, true],
    ['date=gte.2030-01-07', { date: '2030-01-07' }, true],
    ['date=gte.2030-1-7', { date: '2030-01-08' }, true],
    ['date=gt.2030-01-07', { date: '2030-01-07' }, false],
    ['date=lt.2030-01-07', { date: '2030-01-06' }, true],
    ['date=lte.2030-01-07', { date: '2030-01-08' }, false],
    ['start_time=gt.09:00:00', { start_time: '09:30' }, true],
    ['updated_at=gt.2030-01-07T10:00:00Z', { updated_at: '2030-01-07T10:00:00.5+00:00' }, true],
    ['status=in.(scheduled,confirmed)', { status: 'confirmed' }, true],
    ['status=not.in.(scheduled,confirmed)', { status: 'confirmed' }, false],
    ['notes=in.("a,b",c)', { notes: 'a,b' }, true],
    ['notes=eq."a,b"', { notes: 'a,b' }, true],
    ['notes=eq.say "hi"', { notes: 'say "hi"' }, true],
    ['date=gte.2030-01-01,date=lt.2030-02-01', { date: '2030-01-31' }, true],
    ['date=gte.2030-01-01,date=lt.2030-02-01', { date: '2030-02-01' }, false],
    ['notes=like.a%c', { notes: 'abbc' }, true],
    ['notes=like.a_c', { notes: 'abbc' }, false],
    ['notes=like.A%', { notes: 'abc' }, false],
    ['notes=ilike.A%', { notes: 'abc' }, true],
    [
      'client_id=eq.4A0B9F6E-0000-4000-8000-000000000001',
      { client_id: '4a0b9f6e-0000-4000-8000-000000000001' },
      true,
    ],
    ['', {}, true],
    ['  ', {}, true],
  ])('%s of %j: %s', (filter, record, expected) => {
    expect(matches(filter, record)).toBe(expected);
  });

  it('compares decimals by their value', () => {
    expect(matches('price=gt.9', { price: 10 }, menu)).toBe(true);
    expect(matches('price=eq.10.00', { price: 10 }, menu)).toBe(true);
  });

  it.each<[string, string]>([
    ['status', 'column=operator.value'],
    ['undefined', 'column=operator.value'],
    ['nothing=eq.1', 'invalid column for filter nothing'],
    ['status=is.true', 'needs a boolean column'],
    ['status=foo.1', 'unexpected'],
    ['notes=match.^a', 'operator match is not supported'],
    ['metadata=cs.{}', 'operator cs is not supported'],
    ['date=eq.tomorrow', 'invalid input syntax for type date: "tomorrow"'],
    ['date=in.(2030-01-01,x)', 'invalid input syntax for type date: "x"'],
    ['date=like.2030%', 'operator like is not supported'],
    ['status=eq(any).{a}', 'operator eq is not supported'],
    [Array(21).fill('status=eq.a').join(), 'the filter has 21 conditions; at most 20 are allowed'],
    [`notes=eq.${'a'.repeat(4_096)}`, 'the filter has 4105 characters; at most 4096 are allowed'],
    [`notes=like.%${'a'.repeat(250)}`, 'notes=like has 251 characters; at most 250 are allowed'],
    [`notes=not.ilike.%${'a'.repeat(250)}`, 'notes=ilike has 251 characters; at most 250 are allowed'],
    [`notes=in.(${Array(101).fill('a').join()})`, 'notes=in has 101 values; at most 100 are allowed'],
  ])('%s is refused: %s', (filter, reason) => {
    expect(() => matches(filter, {})).toThrow(SubscriptionError);
    expect(() => matches(filter, {})).toThrow(reason);
  });

  it('may use only the columns that the role sees', () => {
    const sessions = catalog.resources.get('sessions') as Resource;
    expect(() => matches('plan=eq.a', {}, sessions)).toThrow('invalid column for filter plan');
  });
});

describe('the conditions of a filter', () => {
  it('are separated by commas outside quotes and parentheses', () => {
    expect(splitConditions('a=in.(1,2),b=eq."x,\\"y",c=eq.d')).toEqual([
      'a=in.(1,2)',
      'b=eq."x,\\"y"',
      'c=eq.d',
    ]);
  });

  it('may have any text as a quoted value', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
        const parts = values.map((value) => `a=eq."${value.replace(/[\\"]/g, '\\$&')}"`);
        expect(splitConditions(parts.join()).map((part) => unquoted(part.slice(5)))).toEqual(values);
      }),
    );
  });
});
