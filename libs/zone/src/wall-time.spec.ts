import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, daysBetween, weekdayOf } from './days.js';
import { instantAt, instantsOf, wallTimeAt } from './wall-time.js';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 16);

/** Each row: zone, day, wall time, instant in UTC. */
const walls: readonly (readonly [string, string, string, string])[] = [
  ['UTC', '2026-05-01', '09:00', '2026-05-01T09:00'],
  // Clocks go forward from 02:00 to 03:00.
  ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59'],
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30'],
  ['Europe/Berlin', '2026-03-29', '03:30', '2026-03-29T01:30'],
  // Clocks go back from 03:00 to 02:00, and the first 02:30 is used.
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30'],
  ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00'],
  // The gap is 30 minutes: from 02:00 to 02:30.
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45'],
  ['Australia/Lord_Howe', '2026-10-04', '02:45', '2026-10-03T15:45'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45'],
  // Midnight does not exist.
  ['America/Sao_Paulo', '2018-11-04', '00:00', '2018-11-04T03:00'],
  // A whole day does not exist.
  ['Pacific/Apia', '2011-12-30', '10:00', '2011-12-30T20:00'],
];

/** Each row: zone, day, start, end, and both instants in UTC. */
const spans: readonly (readonly [string, string, string, string, string, string])[] = [
  ['Europe/Berlin', '2026-03-29', '01:30', '02:30', '2026-03-29T00:30', '2026-03-29T01:30'],
  ['Europe/Berlin', '2026-03-29', '02:30', '02:50', '2026-03-29T01:30', '2026-03-29T01:50'],
  // The start moves forward by an hour, and so does the end.
  ['Europe/Berlin', '2026-03-29', '02:30', '03:20', '2026-03-29T01:30', '2026-03-29T02:20'],
  ['Europe/Berlin', '2026-10-25', '01:30', '03:30', '2026-10-24T23:30', '2026-10-25T02:30'],
  ['America/New_York', '2026-03-08', '02:15', '03:15', '2026-03-08T07:15', '2026-03-08T08:15'],
  ['Australia/Lord_Howe', '2026-10-04', '02:10', '03:00', '2026-10-03T15:40', '2026-10-03T16:30'],
];

describe('a wall time', () => {
  it.each(walls)('in %s on %s at %s is %s in UTC', (zone, date, time, expected) => {
    expect(iso(instantAt({ date, time }, zone))).toBe(expected);
  });

  it.each(spans)('in %s on %s from %s to %s is %s to %s in UTC', (zone, date, from, to, start, end) => {
    const instants = instantsOf({ date, start_time: from, end_time: to }, zone);
    expect([iso(instants.start), iso(instants.end)]).toEqual([start, end]);
  });

  it('is read back from its instant, unless a change of clocks skips it', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'UTC',
    );
    const instant = fc
      .integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) })
      .map((each) => each - (each % 60_000));
    fc.assert(
      fc.property(zone, instant, (name, each) => {
        const wall = wallTimeAt(each, name);
        const first = instantAt(wall, name);
        // The first instant is used if a wall time happens twice.
        expect(wallTimeAt(first, name)).toEqual(wall);
        expect(first).toBeLessThanOrEqual(each);
        expect(each - first).toBeLessThanOrEqual(24 * 3_600_000);
      }),
    );
  });

  it('has the same distance from another wall time as on the clock, on a day without a change of clocks', () => {
    const { start, end } = instantsOf(
      { date: '2026-05-01', start_time: '09:00', end_time: '09:50' },
      'Europe/Berlin',
    );
    expect(end - start).toBe(50 * 60_000);
  });
});

describe('days', () => {
  it('are counted by the calendar', () => {
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
    expect(weekdayOf('2026-11-22')).toBe('sunday');
  });
});
