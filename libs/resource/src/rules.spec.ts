import { describe, expect, it } from '@jest/globals';
import { column, type Column } from './column.js';
import { resource, type Resource } from './resource.js';
import { checkConstraints, rulesOf } from './rules.js';

const empty = {};

/** Name, column, values that keep its rule, values that break it, and the rule in SQL and in words. */
const rules: [string, Column, unknown[], unknown[], string, string][] = [
  [
    'one of some',
    column.text({ oneOf: ['a', 'b'] }),
    ['a', 'b'],
    ['A', '', 'ab'],
    "x IN ('a', 'b')",
    'must be one of a, b',
  ],
  ['from', column.integer({ min: 1 }), [1, 500], [0, -1], 'x >= 1', 'must be at least 1'],
  ['to', column.integer({ max: 5 }), [5, -7], [6], 'x <= 5', 'must be at most 5'],
  ['between', column.integer({ min: 1, max: 5 }), [1, 5], [0, 6], 'x >= 1 AND x <= 5', 'must be from 1 to 5'],
  ['a price', column.money({ min: 0 }), ['0.00', '12.50'], ['-0.01'], 'x >= 0', 'must be at least 0'],
  [
    'not blank',
    column.text({ notBlank: true }),
    ['a', ' a '],
    ['', ' ', '\t\n'],
    "btrim(x) <> ''",
    'must not be blank',
  ],
  [
    'a time zone',
    column.text({ format: 'time-zone' }),
    ['Europe/Berlin', 'UTC', 'Etc/GMT+5'],
    ['PST', 'IST', 'europe/berlin', '+02:00'],
    "('2000-01-01'::timestamp AT TIME ZONE x) IS NOT NULL",
    'must be a name from the IANA time zone database, such as Europe/Berlin',
  ],
];

describe('a rule', () => {
  it.each(rules.map(([name, of, kept, broken, sql, says]) => ({ name, of, kept, broken, sql, says })))(
    '"$name" accepts and rejects the right values, and has its SQL and its wording',
    ({ of, kept, broken, sql, says }) => {
      const [rule, ...more] = rulesOf(of);
      expect(more).toEqual([]);
      expect(kept.filter((value) => !rule?.holds(value as never, empty))).toEqual([]);
      expect(broken.filter((value) => rule?.holds(value as never, empty))).toEqual([]);
      expect(rule?.sql('x')).toBe(sql);
      expect(rule?.says).toBe(says);
    },
  );

  it('about another column waits until that has a value', () => {
    const [rule] = rulesOf(column.timeOfDay({ after: 'starts' }));
    const holds = (starts: string | null) => rule?.holds('10:00', { starts });
    expect([holds('09:59'), holds('10:00'), holds('10:01'), holds(null)]).toEqual([true, false, false, true]);
    expect(rule?.sql('ends')).toBe('ends > starts');
  });

  it('does not exist for a column without rules', () => {
    expect(rulesOf(column.text({ required: true, maxLength: 5 }))).toEqual([]);
  });
});

describe('the check constraints of a resource', () => {
  it('are one for each column with rules, named as Postgres would name them', () => {
    const rooms = resource({
      name: 'rooms',
      service: 'houses',
      aggregate: 'room',
      description: '',
      columns: { name: column.text({}), floor: column.integer({ min: 0, max: 9 }) },
      events: {},
    }) as unknown as Resource;
    expect(checkConstraints(rooms)).toEqual([['rooms_floor_check', 'floor >= 0 AND floor <= 9']]);
  });
});
