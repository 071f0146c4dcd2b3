import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import fc from 'fast-check';
import { occurrences } from './occurrences.js';
import { untilDay } from './rule.js';

const problemOf = (rrule: string, date: string): string => {
  try {
    return `${occurrences(rrule, date).length} occurrences`;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return `${error.problem.status} ${error.problem.code} ${error.problem.details}`;
  }
};

describe('the dates of a rule', () => {
  it.each([
    ['FREQ=WEEKLY;COUNT=3', '2030-01-07', ['2030-01-07', '2030-01-14', '2030-01-21']],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=4',
      '2030-01-07',
      ['2030-01-07', '2030-01-13', '2030-01-21', '2030-01-27'],
    ],
    ['FREQ=DAILY;UNTIL=20300109', '2030-01-07', ['2030-01-07', '2030-01-08', '2030-01-09']],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', '2030-01-25', ['2030-01-25', '2030-02-22']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', '2030-01-31', ['2030-01-31', '2030-02-28', '2030-03-31']],
    // As in RFC 5545, months without the day are skipped.
    ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', '2030-01-31', ['2030-01-31', '2030-03-31', '2030-05-31']],
    ['FREQ=MONTHLY;COUNT=3', '2030-01-31', ['2030-01-31', '2030-03-31', '2030-05-31']],
    ['FREQ=MONTHLY;INTERVAL=12;COUNT=3', '2028-02-29', ['2028-02-29', '2032-02-29', '2036-02-29']],
    ['freq=weekly;count=1', '2030-01-07', ['2030-01-07']],
  ])('of %s from %s', (rrule, date, dates) => {
    expect(occurrences(rrule, date)).toEqual(dates);
  });

  it('may be 366', () => {
    expect(occurrences('FREQ=DAILY;COUNT=366', '2030-01-07').at(-1)).toBe('2031-01-07');
    expect(occurrences('FREQ=MONTHLY;COUNT=366', '2030-01-07').at(-1)).toBe('2060-06-07');
  });
});

describe('a rule is refused', () => {
  it.each([
    ['with more than 366 occurrences', 'FREQ=DAILY;COUNT=367', /COUNT must be a number from 1 to 366/],
    ['with a huge count', 'FREQ=DAILY;COUNT=1000000000', /COUNT/],
    ['with a count beyond every number', `FREQ=DAILY;COUNT=${'9'.repeat(200)}`, /COUNT/],
    [
      'with a huge interval',
      'FREQ=DAILY;INTERVAL=1000000000;COUNT=2',
      /INTERVAL must be a number from 1 to 1000/,
    ],
    ['without a step', 'FREQ=DAILY;INTERVAL=0;COUNT=2', /INTERVAL/],
    ['with an end that is too far', 'FREQ=DAILY;UNTIL=99991231', /more than 366/],
    ['with the last instant as its end', 'FREQ=DAILY;UNTIL=99991231T235959Z', /more than 366/],
    ['with occurrences that are too rare', 'FREQ=DAILY;BYDAY=MO;BYMONTHDAY=7;COUNT=366', /too many periods/],
    ['with occurrences after the year 9999', 'FREQ=MONTHLY;INTERVAL=1000;COUNT=366', /too many periods/],
    ['without an end', 'FREQ=WEEKLY', /either COUNT or UNTIL/],
    ['with two ends', 'FREQ=WEEKLY;COUNT=2;UNTIL=20301231', /either COUNT or UNTIL/],
    ['that ends before it begins', 'FREQ=WEEKLY;UNTIL=20291231', /2030-01-07 is not an occurrence/],
    ['that ends at a time without a zone', 'FREQ=WEEKLY;UNTIL=20301231T000000', /UNTIL must be a date/],
    ['that ends at a time that does not exist', 'FREQ=WEEKLY;UNTIL=20301231T996099Z', /UNTIL must be a date/],
    ['that ends on a day that does not exist', 'FREQ=WEEKLY;UNTIL=20300230', /UNTIL must be a date/],
    ['with another first date', 'FREQ=WEEKLY;BYDAY=TU;COUNT=2', /2030-01-07 is not an occurrence/],
    ['with a day that no month has', 'FREQ=MONTHLY;BYMONTHDAY=32;COUNT=2', /BYMONTHDAY/],
    ['with a day of the month in weeks', 'FREQ=WEEKLY;BYMONTHDAY=7;COUNT=2', /does not go with/],
    ['with an ordinal in weeks', 'FREQ=WEEKLY;BYDAY=1MO;COUNT=2', /BYDAY/],
    ['with a sixth Monday', 'FREQ=MONTHLY;BYDAY=6MO;COUNT=2', /BYDAY/],
    ['by years', 'FREQ=YEARLY;COUNT=2', /FREQ must be/],
    ['by seconds', 'FREQ=SECONDLY;COUNT=2', /FREQ must be/],
    ['with another part', 'FREQ=DAILY;BYSETPOS=1;COUNT=2', /It may have the parts/],
    ['with a part twice', 'FREQ=DAILY;FREQ=DAILY;COUNT=2', /FREQ occurs twice/],
    ['with an empty part', 'FREQ=DAILY;;COUNT=2', /It may have the parts/],
    ['with its property', 'RRULE:FREQ=DAILY;COUNT=2', /It may have the parts/],
    ['with two lines', 'FREQ=DAILY;COUNT=2\nEXDATE=20300107', /It may have the parts|COUNT/],
  ])('%s', (_, rrule, details) => {
    expect(problemOf(rrule, '2030-01-07')).toMatch(/^400 22023 /);
    expect(problemOf(rrule, '2030-01-07')).toMatch(details);
  });
});

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const DAY_MS = 86_400_000;

interface Drawn {
  readonly frequency: string;
  readonly interval: number;
  readonly days: readonly string[];
  readonly monthDays: readonly number[];
}

const lastDay = (day: Date): number =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();

/** Whether a day is an occurrence, from its place in the calendar. */
function occurs({ frequency, interval, days, monthDays }: Drawn, first: Date, day: Date): boolean {
  const [of, last] = [day.getUTCDate(), lastDay(day)];
  const weekday = DAYS[day.getUTCDay()] as string;
  const monday = (one: Date): number => Math.floor((one.getTime() / DAY_MS + 3) / 7);
  const months = (one: Date): number => one.getUTCFullYear() * 12 + one.getUTCMonth();
  const ordinals = [
    weekday,
    `${Math.ceil(of / 7)}${weekday}`,
    `-${Math.ceil((last - of + 1) / 7)}${weekday}`,
  ];
  const isDay = days.length === 0 || ordinals.some((one) => days.includes(one));
  const isMonthDay = monthDays.length === 0 || monthDays.includes(of) || monthDays.includes(of - last - 1);
  const isPlain = days.length === 0 && monthDays.length === 0;
  switch (frequency) {
    case 'DAILY':
      return ((day.getTime() - first.getTime()) / DAY_MS) % interval === 0 && isDay && isMonthDay;
    case 'WEEKLY':
      return (
        (monday(day) - monday(first)) % interval === 0 &&
        (isPlain ? day.getUTCDay() === first.getUTCDay() : isDay)
      );
    default:
      return (
        (months(day) - months(first)) % interval === 0 &&
        (isPlain ? of === first.getUTCDate() : isDay && isMonthDay)
      );
  }
}

const drawn = fc.oneof(
  fc.record({
    frequency: fc.constant('DAILY'),
    interval: fc.integer({ min: 1, max: 4 }),
    days: fc.subarray(DAYS),
    monthDays: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { maxLength: 12 }),
  }),
  fc.record({
    frequency: fc.constant('WEEKLY'),
    interval: fc.integer({ min: 1, max: 5 }),
    days: fc.subarray(DAYS),
    monthDays: fc.constant([]),
  }),
  fc.record({
    frequency: fc.constant('MONTHLY'),
    interval: fc.integer({ min: 1, max: 5 }),
    days: fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('', '1', '2', '5', '-1', '-3'), fc.constantFrom(...DAYS))
        .map((parts) => parts.join('')),
      { maxLength: 3 },
    ),
    monthDays: fc.oneof(
      fc.constant([]),
      fc.uniqueArray(fc.constantFrom(-3, -1, 1, 2, 13, 28, 29, 30, 31), { maxLength: 4 }),
    ),
  }),
);

it('has the dates that a walk from day to day finds, for random rules', () => {
  const start = fc.integer({ min: 21_900, max: 24_000 });
  fc.assert(
    fc.property(drawn, start, fc.integer({ min: 1, max: 20 }), (rule, from, count) => {
      const [first] = walk(rule, new Date(from * DAY_MS), { after: from, count: 1 });
      if (first === undefined) return;
      const expected = walk(rule, new Date(first), { after: Date.parse(first) / DAY_MS, count });
      const text = [
        `FREQ=${rule.frequency};INTERVAL=${rule.interval};COUNT=${count}`,
        ...(rule.days.length === 0 ? [] : [`BYDAY=${rule.days.join()}`]),
        ...(rule.monthDays.length === 0 ? [] : [`BYMONTHDAY=${rule.monthDays.join()}`]),
      ].join(';');
      if (expected.length < count) return;
      expect([text, occurrences(text, first)]).toEqual([text, expected]);
    }),
    { numRuns: 150 },
  );
});

/** The first occurrences of a rule, within at most four years. */
function walk(rule: Drawn, first: Date, { after, count }: { after: number; count: number }): string[] {
  const found: string[] = [];
  for (let day = after; found.length < count && day < after + 1_460; day += 1) {
    const date = new Date(day * DAY_MS);
    if (occurs(rule, first, date)) found.push(date.toISOString().slice(0, 10));
  }
  return found;
}

it.each([
  ['20301231T225959Z', '09:00', 'Europe/Berlin', '20301231'],
  ['20301231T230000Z', '09:00', 'Europe/Berlin', '20301231'],
  ['20310101T010000Z', '17:00', 'America/Los_Angeles', '20301231'],
  ['20310101T005900Z', '17:00', 'America/Los_Angeles', '20301230'],
])('an end at %s means, for appointments at %s in %s, %s', (instant, time, zone, day) => {
  expect(untilDay(`FREQ=DAILY;UNTIL=${instant}`, time, zone)).toBe(`FREQ=DAILY;UNTIL=${day}`);
});
