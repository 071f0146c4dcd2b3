import { describe, expect, it } from '@jest/globals';
import { Faker, base, en } from '@faker-js/faker';
import { clientsOn } from './clients.js';
import { contentOn } from './content.js';
import { weekdayOf } from './day.js';
import { group, openSpans, servicesOffered } from './practice.js';
import { yearRound, type SeedAppointment } from './year.js';

const TODAY = '2026-03-18';
const faker = new Faker({ locale: [en, base], seed: 1 });
const services = servicesOffered(faker);
const clients = clientsOn(TODAY, faker);
const year = yearRound(TODAY, { services, clients, faker });
const content = new Map(contentOn(TODAY).map(({ resource, rows }) => [resource, rows]));

const key = ({ date, start_time }: SeedAppointment): string => `${date} ${start_time}`;

describe('the demo practice', () => {
  it('is the same whenever it is made for the same day', () => {
    expect(contentOn(TODAY)).toEqual(contentOn(TODAY));
  });

  it('has records in every resource, each with its own id', () => {
    expect([...content].map(([resource, rows]) => [resource, rows.length > 0])).toEqual(
      [...content.keys()].map((resource) => [resource, true]),
    );
    expect(content.size).toBe(10);
    for (const rows of content.values()) expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('has forty clients, some of them former ones', () => {
    expect(clients).toHaveLength(40);
    expect(new Set(clients.map(({ status }) => status)).size).toBe(3);
    expect(new Set(clients.map(({ email, id }) => email ?? id)).size).toBe(40);
  });

  it('has a year of appointments, in every status', () => {
    expect(year.length).toBeGreaterThan(1000);
    expect(new Set(year.map(({ status }) => status)).size).toBe(5);
    expect(year[0]?.date.slice(0, 7)).toBe('2025-09');
    expect(year.at(-1)?.date.slice(0, 7)).toBe('2026-09');
  });

  it('is booked only within its opening hours', () => {
    const outside = year.filter(({ date, start_time, end_time }) => {
      const day = weekdayOf(date);
      return !openSpans.some(
        (span) => span.weekday === day && span.open_time <= start_time && end_time <= span.close_time,
      );
    });
    expect(outside).toEqual([]);
  });

  it('double-books only the seats of a group', () => {
    const single = year.filter(({ service }) => service.name !== group);
    const overlaps = single.filter((one, index) => {
      const next = single[index + 1];
      return next?.date === one.date && next.start_time < one.end_time;
    });
    expect(overlaps).toEqual([]);
    const starts = year.filter(({ service }) => service.name === group).map(key);
    const seated = [...new Set(starts)].map((start) => starts.filter((other) => other === start).length);
    expect(Math.max(...seated)).toBeLessThanOrEqual(
      services.find(({ name }) => name === group)?.capacity ?? 0,
    );
  });

  it('sees a client only from the first to the last day of that client', () => {
    const lives = new Map(clients.map(({ id, joined, left }) => [id, { joined, left }]));
    const outside = year.filter(({ client_id, date }) => {
      const { joined = '', left = null } = lives.get(client_id) ?? {};
      return date < joined || (left !== null && date > left);
    });
    expect(outside).toEqual([]);
  });

  it('fits into few requests: a resource is at most two bulk writes, none above a megabyte', () => {
    for (const rows of content.values()) {
      expect(rows.length).toBeLessThanOrEqual(2000);
      expect(Buffer.byteLength(JSON.stringify(rows.slice(0, 1000)))).toBeLessThan(1_000_000);
    }
  });
});
