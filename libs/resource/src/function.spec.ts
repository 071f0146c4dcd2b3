import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { column } from './column.js';
import { checkedArguments, defineFunction, returns } from './function.js';

const book = defineFunction({
  name: 'book',
  service: 'house',
  description: 'Books a visit.',
  arguments: {
    day: column.date({ required: true }),
    until: column.date({ after: 'day' }),
    seats: column.integer({ default: 1, min: 1, max: 9 }),
    size: column.text({ oneOf: ['small', 'large'], lowerCase: true }),
    name: column.text({ maxLength: 3 }),
  },
  returns: returns.nothing,
  effect: 'writes',
  roles: ['owner'],
});

const outcome = (given: object): unknown => {
  try {
    return checkedArguments(book, given as never);
  } catch (error) {
    if (error instanceof Rejection) return error.problem;
    throw error;
  }
};

describe('the arguments of a function', () => {
  it('have their canonical form, and defaults', () => {
    expect(outcome({ day: '2026-05-01', size: ' Large ' })).toEqual({
      day: '2026-05-01',
      until: null,
      seats: 1,
      size: 'large',
      name: null,
    });
    expect(outcome({ day: '2026-05-01', seats: '2' })).toMatchObject({ seats: 2 });
  });

  it.each([
    [{ day: 'soon' }, '22007', 'invalid input syntax for type date: "soon"'],
    [{ day: '2026-05-01', seats: 'x' }, '22P02', 'invalid input syntax for type integer: "x"'],
    [{ day: '2026-05-01', name: 'long' }, '22001', 'value too long for type character varying(3)'],
    [{ day: null }, '22004', 'argument "day" must not be null'],
    [{ day: '2026-05-01', seats: null }, '22004', 'argument "seats" must not be null'],
    [{ day: '2026-05-01', seats: 10 }, '22023', 'invalid value for argument "seats"'],
    [{ day: '2026-05-01', size: 'huge' }, '22023', 'invalid value for argument "size"'],
    [{ day: '2026-05-01', until: '2026-05-01' }, '22023', 'invalid value for argument "until"'],
  ])('%j is refused', (given, code, message) => {
    expect(outcome(given)).toMatchObject({ status: 400, code, message });
  });
});
