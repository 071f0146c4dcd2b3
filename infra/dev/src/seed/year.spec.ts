import { describe, expect, it } from '@jest/globals';
import { group, openSpans, weekdays } from './practice.js';
import { chanceFrom } from './random.js';
import { yearRound, type SeedAppointment } from './year.js';

const year = yearRound('2026-03-18', chanceFrom(1));

const key = ({ date, start_time }: SeedAppointment): string => `${date} ${start_time}`;

describe('the demo practice', () => {
  it('is the same whenever it is made for the same day', () => {
    expect(yearRound('2026-03-18', chanceFrom(1))).toEqual(year);
  });

  it('has a year of appointments, in every status', () => {
    expect(year.length).toBeGreaterThan(1000);
    expect(new Set(year.map(({ status }) => status)).size).toBe(5);
    expect(year[0]?.date.slice(0, 7)).toBe('2025-09');
    expect(year.at(-1)?.date.slice(0, 7)).toBe('2026-09');
  });

  it('is booked within its opening hours only', () => {
    const outside = year.filter(({ date, start_time, end_time }) => {
      const day = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()];
      return !openSpans.some(
        (span) => span.day_of_week === day && span.open_time <= start_time && end_time <= span.close_time,
      );
    });
    expect(outside).toEqual([]);
  });

  it('books nobody twice, but for the seats of a group', () => {
    const single = year.filter(({ service }) => service !== group.name);
    const overlaps = single.filter((one, index) => {
      const next = single[index + 1];
      return next?.date === one.date && next.start_time < one.end_time;
    });
    expect(overlaps).toEqual([]);
    const starts = year.filter(({ service }) => service === group.name).map(key);
    const seated = [...new Set(starts)].map((start) => starts.filter((other) => other === start).length);
    expect(Math.max(...seated)).toBeLessThanOrEqual(group.capacity);
  });
});
