import { describe, expect, it } from '@jest/globals';
import { allSteps, Rejection } from '@practice/core';
import { addDays, instantAt, minutesOf, timeOf, weekdayOf } from '@practice/zone';
import fc from 'fast-check';
import { appointments, businessHours, practiceSettings, serviceMenu } from '@practice/contracts';
import { appointment } from '../appointments/appointment.js';
import { record } from '../appointments/testing/appointments.js';
import { defaultSettings } from './booking-rules.js';
import { freeSlotsOf as stepsTo, type Booked, type Practice, type Slot, type Wanted } from './free-slots.js';

const freeSlotsOf = (state: Practice, slots: Wanted): readonly Slot[] => allSteps(stepsTo(state, slots));

/** A Monday. */
const monday = '2026-05-04';
const service = '018f0000-0000-7000-8000-0000000000a1';
const [ada, ben] = ['018f0000-0000-7000-8000-0000000000b1', '018f0000-0000-7000-8000-0000000000b2'];

const practice = (but: Partial<Practice> = {}): Practice => ({
  settings: defaultSettings,
  hours: [{ day_of_week: 'monday', open_time: '09:00', close_time: '12:00' }],
  booked: [],
  now: Date.parse('2026-05-01T08:00:00Z'),
  ...but,
});

const wanted = (but: Partial<Wanted> = {}): Wanted => ({
  ...{ from: monday, to: monday, duration: 60, serviceId: null, capacity: 1, practitionerId: null },
  ...{ weekdays: null, after: null, before: null },
  ...but,
});

const booked = (start: string, end: string, but: Partial<Booked> = {}): Booked => ({
  ...{ date: monday, start_time: start, end_time: end, service_id: null, practitioner_id: null },
  ...but,
});

const starts = (state: Practice, slots: Wanted = wanted()): string[] =>
  freeSlotsOf(state, slots).map(({ start_time: start }) => start);

const settings = (but: Partial<Practice['settings']>): Pick<Practice, 'settings'> => ({
  settings: { ...defaultSettings, slot_step: 30, ...but },
});

describe('free slots', () => {
  it('are within business hours, at the step from the opening of a span', () => {
    expect(starts(practice(settings({ slot_step: 45 })))).toEqual(['09:00', '09:45', '10:30']);
    expect(starts(practice({ hours: [] }))).toEqual([]);
    expect(starts(practice(), wanted({ from: '2026-05-05', to: '2026-05-10' }))).toEqual([]);
  });

  it('do not overlap appointments, and have both buffers between them and appointments', () => {
    const taken = [booked('10:00', '10:30')];
    expect(starts(practice({ ...settings({}), booked: taken }))).toEqual(['09:00', '10:30', '11:00']);
    const buffers = settings({ buffer_before: 10, buffer_after: 5 });
    expect(starts(practice({ ...buffers, booked: taken }))).toEqual(['11:00']);
    expect(starts(practice(buffers))).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00']);
  });

  it('are after the notice and within the horizon', () => {
    const now = Date.parse('2026-05-04T07:30:00Z');
    const notice = settings({ time_zone: 'Europe/Berlin', minimum_notice: 60 });
    expect(starts(practice({ ...notice, now }))).toEqual(['10:30', '11:00']);
    const horizon = practice(settings({ booking_horizon: 3 }));
    expect(starts(horizon)).toHaveLength(5);
    expect(starts(practice(settings({ booking_horizon: 2 })))).toEqual([]);
  });

  it('are limited by weekday, earliest start and latest end', () => {
    const state = practice(settings({}));
    expect(starts(state, wanted({ weekdays: ['tuesday'] }))).toEqual([]);
    expect(starts(state, wanted({ weekdays: ['monday'], after: '09:30', before: '11:00' }))).toEqual([
      '09:30',
      '10:00',
    ]);
  });

  it('have the seats that are left in a group, even at a time outside of the step', () => {
    const group = wanted({ serviceId: service, capacity: 3 });
    const taken = [
      booked('09:10', '10:10', { service_id: service }),
      booked('09:10', '10:10', { service_id: service }),
    ];
    const slots = freeSlotsOf(practice({ ...settings({}), booked: taken }), group);
    expect(slots.map(({ start_time: start, seatsLeft }) => [start, seatsLeft])).toEqual([
      ['09:10', 1],
      ['10:30', 3],
      ['11:00', 3],
    ]);
  });

  it('are in one calendar, or in every calendar', () => {
    const state = practice({ ...settings({}), booked: [booked('09:00', '12:00', { practitioner_id: ada })] });
    expect(starts(state)).toEqual([]);
    expect(starts(state, wanted({ practitionerId: ada }))).toEqual([]);
    expect(starts(state, wanted({ practitionerId: ben }))).toHaveLength(5);
  });

  it('are not at times that a change of clocks skips', () => {
    const sunday = '2026-03-29';
    const state = practice({
      ...settings({ time_zone: 'Europe/Berlin' }),
      hours: [{ day_of_week: 'sunday', open_time: '01:00', close_time: '05:00' }],
      now: Date.parse('2026-03-01T00:00:00Z'),
    });
    expect(starts(state, wanted({ from: sunday, to: sunday }))).toEqual(['01:00', '03:00', '03:30', '04:00']);
  });
});

// For any practice around a change of clocks, a booking is accepted if, and only if, the time is offered.
describe('a slot at the step', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const;
  const days = ['2026-03-08', '2026-03-29', '2026-10-04', '2026-10-25', '2026-05-04'] as const;
  const quarter = (from: number, to: number) =>
    fc.integer({ min: from * 4, max: to * 4 }).map((each) => each * 15);
  const calendar = fc.constantFrom(null, null, ada, ben);
  const state = fc.record({
    zone: fc.constantFrom(...zones),
    date: fc.constantFrom(...days),
    step: fc.constantFrom(10, 15, 30, 50),
    before: fc.constantFrom(0, 0, 5, 30),
    after: fc.constantFrom(0, 0, 10),
    notice: fc.constantFrom(0, 60, 1440),
    horizon: fc.integer({ min: 1, max: 3 }),
    open: quarter(0, 6),
    length: quarter(1, 12),
    gap: quarter(0, 1),
    ahead: fc.integer({ min: -300, max: 3 * 1440 }),
    capacity: fc.constantFrom(1, 2, 3),
    duration: fc.constantFrom(30, 45, 60),
    hasService: fc.boolean(),
    practitioner: calendar,
    taken: fc.array(
      fc.record({
        at: quarter(0, 20),
        minutes: fc.constantFrom(30, 45, 60),
        isGroup: fc.boolean(),
        practitioner: calendar,
      }),
      { maxLength: 6 },
    ),
  });

  it('can be booked if, and only if, it is offered', () => {
    let offers = 0;
    fc.assert(
      fc.property(state, (drawn) => {
        const { date, zone, duration } = drawn;
        const close = Math.min(drawn.open + drawn.length, 1439);
        const hours = [
          { day_of_week: weekdayOf(date), open_time: timeOf(drawn.open), close_time: timeOf(close) },
        ];
        if (drawn.gap > 0 && close + drawn.gap + 60 < 1440)
          hours.push({
            ...hours[0]!,
            open_time: timeOf(close + drawn.gap),
            close_time: timeOf(close + drawn.gap + 60),
          });
        const rules = {
          ...{
            time_zone: zone,
            slot_step: drawn.step,
            buffer_before: drawn.before,
            buffer_after: drawn.after,
          },
          ...{
            minimum_notice: drawn.notice,
            booking_horizon: drawn.horizon,
            enforce_booking_rules: true,
            assistant_limit: 5,
          },
        };
        const now = instantAt({ date, time: timeOf(drawn.open) }, zone) - drawn.ahead * 60_000;
        const rows = drawn.taken
          .filter(({ at, minutes }) => at + minutes < 1440)
          .map(({ at, minutes, isGroup, practitioner }, index) =>
            record({
              ...{ id: `018f0000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`, date },
              ...{ start_time: timeOf(at), end_time: timeOf(at + minutes), seat: index },
              ...{ service_id: isGroup ? service : null, practitioner_id: practitioner },
            }),
          );
        const serviceId = drawn.hasService ? service : null;
        const slots = freeSlotsOf(
          { settings: rules, hours, booked: rows, now },
          wanted({
            from: date,
            to: date,
            duration,
            serviceId,
            capacity: serviceId ? drawn.capacity : 1,
            practitionerId: drawn.practitioner,
          }),
        );
        offers += slots.length;
        const tables: Readonly<Record<string, readonly object[]>> = {
          [appointments.name]: rows,
          [businessHours.name]: hours,
          [serviceMenu.name]: [{ id: service, duration, capacity: drawn.capacity }],
          [practiceSettings.name]: [rules],
        };
        const context = {
          now: new Date(now).toISOString(),
          rows: ({ name }: { name: string }) => (tables[name] ?? []) as never,
        };
        const isAccepted = (start: string, end: string): boolean => {
          const booking = record({
            ...{
              date,
              start_time: start,
              end_time: end,
              service_id: serviceId,
              practitioner_id: drawn.practitioner,
            },
            ...{ starts_at: null, ends_at: null },
          });
          try {
            appointment.decide({ kind: 'create', record: booking }, null, context);
            return true;
          } catch (error) {
            if (error instanceof Rejection) return false;
            throw error;
          }
        };
        for (const { start_time: start, end_time: end } of slots)
          expect([start, isAccepted(start, end)]).toEqual([start, true]);
        const offered = new Set(slots.map(({ start_time: start }) => start));
        for (const { open_time: open, close_time: until } of hours)
          for (let at = minutesOf(open); at + duration <= minutesOf(until); at += drawn.step)
            expect([timeOf(at), isAccepted(timeOf(at), timeOf(at + duration))]).toEqual([
              timeOf(at),
              offered.has(timeOf(at)),
            ]);
      }),
      { numRuns: 150 },
    );
    expect(offers).toBeGreaterThan(100);
  });

  it('are counted for every day of a range', () => {
    const many = freeSlotsOf(practice(), wanted({ to: addDays(monday, 13) }));
    expect(new Set(many.map(({ date }) => date))).toEqual(new Set([monday, '2026-05-11']));
  });
});
