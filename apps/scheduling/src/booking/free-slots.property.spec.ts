// The sweep finds the same slots as a comparison of every time with every appointment of the day.

import { expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import { addDays, instantsOf, minutesOf, timeOf, weekdayOf } from '@practice/zone';
import fc from 'fast-check';
import { overlap, placeAmong } from './occupancy.js';
import { brokenRule, defaultSettings, lastDayOf, tooClose } from './booking-rules.js';
import { freeSlotsOf, type Booked, type Practice, type Slot, type Wanted } from './free-slots.js';

/** A Sunday on which clocks change in Berlin. */
const first = '2026-03-29';
const [group, other] = ['018f0000-0000-7000-8000-0000000000a1', '018f0000-0000-7000-8000-0000000000a2'];
const [ada, ben] = ['018f0000-0000-7000-8000-0000000000b1', '018f0000-0000-7000-8000-0000000000b2'];

/** The slots from a comparison of every minute of the day with all appointments of the day. */
function plainly(practice: Practice, wanted: Wanted): Slot[] {
  const { settings, now } = practice;
  const all = [...practice.booked];
  const slots: Slot[] = [];
  for (let date = wanted.from; date <= wanted.to; date = addDays(date, 1)) {
    const hours = practice.hours.filter(({ day_of_week: day }) => day === weekdayOf(date));
    const booked = all.filter((each) => each.date === date);
    for (let minute = 0; minute + wanted.duration <= 1440; minute += 1) {
      const times = { start_time: timeOf(minute), end_time: timeOf(minute + wanted.duration) };
      const isAtStep = hours.some(
        ({ open_time: open, close_time: close }) =>
          open <= times.start_time &&
          times.end_time <= close &&
          (minute - minutesOf(open)) % settings.slot_step === 0,
      );
      const isOfGroup = booked.some(
        (each) =>
          each.service_id === wanted.serviceId &&
          wanted.serviceId !== null &&
          each.start_time === times.start_time &&
          each.end_time === times.end_time,
      );
      if (!isAtStep && !isOfGroup) continue;
      const slot = { ...times, service_id: wanted.serviceId, practitioner_id: wanted.practitionerId };
      const place = placeAmong(
        slot,
        booked.filter((each) => overlap(slot, each)),
        wanted.capacity,
      );
      const span = { date, ...times };
      const terms = { settings, hours, now, lastDay: lastDayOf(settings, now) };
      const isFree = place.inTheWay === undefined && tooClose(slot, booked, settings) === undefined;
      if (isFree && brokenRule(span, terms) === null)
        slots.push({ ...span, ...instantsOf(span, settings.time_zone), seatsLeft: place.seatsLeft });
    }
  }
  return slots;
}

const time = (from: number, to: number) =>
  fc.integer({ min: from * 12, max: to * 12 }).map((each) => each * 5);
const drawn = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin'),
  step: fc.constantFrom(5, 7, 30),
  buffers: fc.constantFrom([0, 0], [5, 0], [10, 15]),
  duration: fc.constantFrom(5, 30, 50),
  service: fc.constantFrom(null, group),
  capacity: fc.integer({ min: 1, max: 3 }),
  practitioner: fc.constantFrom(null, ada),
  hours: fc.array(fc.record({ day: fc.integer({ min: 0, max: 2 }), open: time(0, 8), length: time(1, 15) }), {
    maxLength: 4,
  }),
  booked: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 2 }),
      at: time(0, 22),
      minutes: fc.constantFrom(5, 30, 50, 110),
      service: fc.constantFrom(null, group, other),
      practitioner: fc.constantFrom(null, ada, ben),
    }),
    { maxLength: 40 },
  ),
  most: fc.integer({ min: 1, max: 60 }),
});

it('a sweep over the appointments of a day finds the same slots as a look at all of them, and stops at the requested number', () => {
  let found = 0;
  fc.assert(
    fc.property(drawn, (draw) => {
      const booked = draw.booked.map(({ day, at, minutes, service, practitioner }): Booked => ({
        ...{ date: addDays(first, day), start_time: timeOf(at), end_time: timeOf(at + minutes) },
        ...{ service_id: service, practitioner_id: practitioner },
      }));
      const [before, after] = draw.buffers as [number, number];
      const practice: Practice = {
        settings: {
          ...{ ...defaultSettings, time_zone: draw.zone, slot_step: draw.step },
          ...{ buffer_before: before, buffer_after: after },
        },
        hours: draw.hours.map(({ day, open, length }) => ({
          day_of_week: weekdayOf(addDays(first, day)),
          ...{ open_time: timeOf(open), close_time: timeOf(Math.min(open + length, 1439)) },
        })),
        booked,
        now: Date.parse('2026-03-01T00:00:00Z'),
      };
      const wanted: Wanted = {
        ...{ from: first, to: addDays(first, 2), duration: draw.duration, serviceId: draw.service },
        ...{ capacity: draw.service === null ? 1 : draw.capacity, practitionerId: draw.practitioner },
        ...{ weekdays: null, after: null, before: null },
      };
      const slots = plainly(practice, wanted);
      found += slots.length;
      expect(allSteps(freeSlotsOf(practice, wanted))).toEqual(slots);
      expect(allSteps(freeSlotsOf(practice, wanted, draw.most))).toEqual(slots.slice(0, draw.most));
    }),
    { numRuns: 150 },
  );
  expect(found).toBeGreaterThan(1_000);
});
