import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
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

const outcome = (given: object): unknown => outcomeOf(() => checkedArguments(book, given as never));

describe('the arguments of a function', () => {
  it('are converted to their canonical form, and have defaults', () => {
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
    [{ day: 'soon' }, '22007', 'day must be a date such as 2030-01-31, not "soon"'],
    [{ day: '2026-05-01', seats: 'x' }, '22P02', /^seats must be a whole number .*, not "x"$/],
    [{ day: '2026-05-01', name: 'long' }, '22001', 'name must be at most 3 characters long, not 4'],
    [{ day: null }, '22004', 'argument "day" must not be null'],
    [{ day: '2026-05-01', seats: null }, '22004', 'argument "seats" must not be null'],
    [{ day: '2026-05-01', seats: 10 }, '22023', /^seats must be .*, not "10"$/],
    [{ day: '2026-05-01', size: 'huge' }, '22023', /^size must be one of .*, not "huge"$/],
    [{ day: '2026-05-01', until: '2026-05-01' }, '22023', 'until must be after day, not "2026-05-01"'],
  ])('%j is refused', (given, code, message) => {
    const wording = typeof message === 'string' ? message : (expect.stringMatching(message) as unknown);
    expect(outcome(given)).toMatchObject({ status: 400, code, message: wording });
  });
});
