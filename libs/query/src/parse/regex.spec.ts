import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import { checkRegex } from './regex.js';

describe('a regular expression', () => {
  it.each([
    '',
    '^A(da|nn) ',
    '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^([a-z]+ ?)+$',
    '^(?!Dr\\.)',
    '^(?:one|two){2}',
    '\\mword\\M',
    '[[:alpha:]]+[])*]',
    '{"^a","b{2}$"}',
    '(',
  ])('%s is accepted', (text) => {
    expect(() => checkRegex(text)).not.toThrow();
  });

  it.each([
    ['(a*)(a*)\\1', 'backreferences are not supported'],
    ['{"(a)\\\\1"}', 'backreferences are not supported'],
    ['[[.\\.]](a)\\1', 'backreferences are not supported'],
    ['(?b)\\(a\\)\\{2\\}', 'embedded options are not supported'],
    ['***:(?x)a', 'embedded options are not supported'],
    ['a'.repeat(257), 'it has more than 256 characters'],
    ['(a)'.repeat(17), 'it has more than 16 groups'],
    ['a*'.repeat(25), 'it has more than 24 quantifiers'],
    ['(?=.*a)(?=.*b)', 'it has more than one lookaround'],
    ['((a{1,60}){1,60}){1,60}', 'its repetitions multiply to more than 10000'],
    ['{a\\{200\\},b\\{200\\}}', 'its repetitions multiply to more than 10000'],
    ['(((a*)*)*)*', 'its quantifiers are nested more than 2 deep'],
    ['(([)]*a)*b)*', 'its quantifiers are nested more than 2 deep'],
  ])('%s is refused', (text, why) => {
    expect(outcomeOf(() => checkRegex(text))).toMatchObject({
      status: 400,
      code: '2201B',
      message: `invalid regular expression: ${why}`,
    });
  });
});
