// Free slots of random practices through the API: a time at the step can be booked if, and only if, it is offered. Bookings are dry
// runs.

import { beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { call, invitationToken, make, newPractice, type Practice } from '@practice/testing';
import {
  addDays,
  daysBetween,
  instantAt,
  minutesOf,
  startOfDay,
  timeOf,
  wallTimeAt,
  weekdayOf,
} from '@practice/zone';
import fc from 'fast-check';

const MINUTE = 60_000;

let practice: Practice;
/** The calendars of the owner, of another member, and of the whole practice. */
let calendars: (string | null)[];

async function newMember(): Promise<string> {
  const email = `member-${randomUUID()}@example.com`;
  const { id } = await make(practice, 'memberships', { email, role: 'therapist' });
  const { json } = await call('/auth/v1/signup', { method: 'POST', body: { email, password: randomUUID() } });
  const { access_token: token, user } = json as { access_token: string; user: { id: string } };
  const accepted = await call('/rest/v1/rpc/accept_invitation', {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` } },
    body: { token: await invitationToken(id) },
  });
  expect(accepted.status).toBe(200);
  return user.id;
}

beforeAll(async () => {
  practice = await newPractice();
  calendars = [null, practice.therapistId, await newMember()];
});

/** The next days on which clocks change in a zone. */
function changesOfClocks(zone: string): string[] {
  const days = Array.from({ length: 360 }, (_, ahead) =>
    addDays(wallTimeAt(Date.now(), zone).date, ahead + 2),
  );
  return days.filter((day) => !startOfDay(day, zone).isUniform);
}

const quarter = (from: number, to: number) =>
  fc.integer({ min: from * 4, max: to * 4 }).map((each) => each * 15);
const calendar = fc.constantFrom(0, 0, 1, 2);
const drawn = fc.record({
  zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  /** The number of the change of clocks. If a year has fewer changes, it is an ordinary day. */
  change: fc.integer({ min: 0, max: 2 }),
  ordinary: fc.integer({ min: 3, max: 60 }),
  step: fc.constantFrom(15, 30, 50),
  before: fc.constantFrom(0, 0, 5, 30),
  after: fc.constantFrom(0, 0, 10),
  /** The place in the hours where the notice ends; null if it ends long before. */
  notice: fc.option(quarter(0, 3)),
  horizon: fc.constantFrom(-1, 0, 9),
  open: quarter(0, 4),
  length: quarter(1, 4),
  capacity: fc.constantFrom(1, 2),
  duration: fc.constantFrom(30, 45),
  hasService: fc.boolean(),
  calendar,
  taken: fc.array(fc.record({ at: quarter(0, 8), isGroup: fc.boolean(), calendar }), { maxLength: 3 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

const usedDays = new Set<string>();

/** A day that no other draw has. */
function dayOf({ zone, change, ordinary }: Drawn): string {
  let day = changesOfClocks(zone)[change] ?? addDays(wallTimeAt(Date.now(), zone).date, ordinary);
  while (usedDays.has(day)) day = addDays(day, 1);
  usedDays.add(day);
  return day;
}

const settle = async (body: object): Promise<void> => {
  const path = `practice_settings?id=eq.${practice.therapistId}`;
  expect((await practice.rest(path, { method: 'PATCH', body })).status).toBe(204);
};

/** The settings of a draw. The notice ends between two times at the step, so the duration of the test has no effect. */
function settingsOf(draw: Drawn, day: string): object {
  const { zone, step, before, after, notice, open, horizon } = draw;
  const end = instantAt({ date: day, time: timeOf(open + (notice ?? 0)) }, zone) + 2.5 * MINUTE;
  return {
    ...{ time_zone: zone, slot_step: step, buffer_before: before, buffer_after: after },
    minimum_notice: notice === null ? 0 : Math.ceil((end - Date.now()) / MINUTE),
    booking_horizon: Math.max(1, daysBetween(wallTimeAt(Date.now(), zone).date, day) + horizon),
    enforce_booking_rules: true,
  };
}

interface Slot {
  readonly start_time: string;
  readonly end_time: string;
}

/** Sets up the practice, reads its free slots, and tries every time at the step. @returns the numbers of offered and refused times */
async function compare(draw: Drawn): Promise<readonly [number, number]> {
  const { open, length, step, duration, capacity, hasService } = draw;
  const date = dayOf(draw);
  await settle({ enforce_booking_rules: false });
  const close = timeOf(open + length);
  await practice.rest(`business_hours?day_of_week=eq.${weekdayOf(date)}`, { method: 'DELETE' });
  const hours = { day_of_week: weekdayOf(date), open_time: timeOf(open), close_time: close };
  await make(practice, 'business_hours', hours);
  const { id: group } = await make(practice, 'service_menu', {
    name: randomUUID(),
    duration,
    price: 1,
    capacity,
  });
  const booking = (start: number, isGroup: boolean, of: number) => ({
    ...{ date, start_time: timeOf(start), end_time: timeOf(start + duration) },
    ...{ service_id: isGroup ? group : null, practitioner_id: calendars[of] },
  });
  for (const { at, isGroup, calendar: of } of draw.taken)
    await practice.rest('appointments', { method: 'POST', body: booking(at, isGroup, of) });
  await settle(settingsOf(draw, date));

  const mine = calendars[draw.calendar];
  const query = [
    `from=${date}&to=${date}&${hasService ? `service_id=${group}` : `duration=${duration}`}`,
    ...(mine == null ? [] : [`practitioner_id=${mine}`]),
  ].join('&');
  const { status, json } = await practice.rest(`rpc/free_slots?${query}`);
  expect([status, json]).toEqual([200, expect.any(Array)]);
  const offered = new Set((json as Slot[]).map(({ start_time: start }) => start));
  const tried = new Set([...offered].map(minutesOf));
  for (let at = open; at + duration <= open + length; at += step) tried.add(at);
  for (const at of tried) {
    const answer = await practice.rest('appointments', {
      ...{ method: 'POST', body: booking(at, hasService, draw.calendar) },
      headers: { prefer: 'tx=rollback' },
    });
    expect([date, timeOf(at), answer.status]).toEqual([
      date,
      timeOf(at),
      offered.has(timeOf(at)) ? 201 : 409,
    ]);
  }
  return [offered.size, tried.size - offered.size];
}

it('a time at the step can be booked if, and only if, it is offered', async () => {
  let [offers, refusals] = [0, 0];
  await fc.assert(
    fc.asyncProperty(drawn, async (draw) => {
      const [offered, refused] = await compare(draw);
      offers += offered;
      refusals += refused;
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(offers).toBeGreaterThan(0);
  expect(refusals).toBeGreaterThan(0);
});
