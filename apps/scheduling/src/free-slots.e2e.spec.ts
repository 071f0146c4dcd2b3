// Free slots and their bookings through the API.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, type Answer, type Practice } from '@practice/testing';

let practice: Practice;
let group: string;

/** A Monday in two to three weeks, within the horizon. */
const monday = ((): string => {
  const day = new Date(Date.now() + 14 * 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
})();
const onMonday = (start: string, end: string, more: object = {}): object => ({
  ...{ date: monday, start_time: start, end_time: end },
  ...more,
});

const post = (path: string, body: object): Promise<Answer> =>
  practice.rest(path, { method: 'POST', body, headers: { prefer: 'return=representation' } });
const settle = async (body: object): Promise<void> => {
  const path = `practice_settings?id=eq.${practice.therapistId}`;
  expect((await practice.rest(path, { method: 'PATCH', body })).status).toBe(204);
};
const range = `from=${monday}&to=${monday}`;
const slots = (query: string): Promise<Answer> => practice.rest(`rpc/free_slots?${query}`);
const starts = ({ json }: Answer): string[] =>
  (json as { start_time: string }[]).map(({ start_time: start }) => start);

beforeAll(async () => {
  practice = await newPractice();
  await settle({ time_zone: 'Europe/Berlin', slot_step: 30 });
  await post('business_hours', { day_of_week: 'monday', open_time: '09:00', close_time: '12:00' });
  const made = await post('service_menu', { name: 'Group', duration: 60, price: 20, capacity: 3 });
  group = (made.json as [{ id: string }])[0].id;
  for (const times of [['10:00', '10:30']] as const) await post('appointments', onMonday(...times));
});

describe('rpc/free_slots', () => {
  it('returns rows that can be selected, filtered, ordered and limited', async () => {
    const all = await slots(`duration=60&${range}`);
    expect([all.status, starts(all)]).toEqual([200, ['09:00', '10:30', '11:00']]);
    const [first] = all.json as [Record<string, unknown>];
    expect(Object.keys(first)).toEqual([
      'date',
      'start_time',
      'end_time',
      'starts_at',
      'ends_at',
      'seats_left',
    ]);
    expect(first).toMatchObject({ date: monday, end_time: '10:00', seats_left: 1 });
    const next = await slots(
      `duration=60&${range}&start_time=gte.10:00&select=start_time&order=start_time.desc&limit=1`,
    );
    expect(next.json).toEqual([{ start_time: '11:00' }]);
  });

  it('computes no more rows than a page shows, unless a filter, an order, a count or an aggregate is about all rows', async () => {
    const paged = (more: string) => slots(`duration=60&${range}&select=start_time&${more}`);
    expect(starts(await paged('limit=1'))).toEqual(['09:00']);
    expect(starts(await paged('limit=1&offset=1'))).toEqual(['10:30']);
    expect(starts(await paged('limit=1&order=start_time.desc'))).toEqual(['11:00']);
    expect(starts(await paged('limit=1&start_time=gt.10:30'))).toEqual(['11:00']);
    expect((await slots(`duration=60&${range}&select=count()&limit=1`)).json).toEqual([{ count: 3 }]);
    const counted = await practice.rest(`rpc/free_slots?duration=60&${range}&limit=1`, {
      headers: { prefer: 'count=exact' },
    });
    expect(counted.headers.get('content-range')).toBe('0-0/3');
  });

  it('takes lists of weekdays in the query string and in a body', async () => {
    expect(
      starts(await slots(`duration=60&${range}&weekdays={monday,friday}&after=10:00&before=11:30`)),
    ).toEqual(['10:30']);
    expect(starts(await slots(`duration=60&${range}&weekdays={tuesday}`))).toEqual([]);
    const args = { duration: 60, from: monday, to: monday, weekdays: ['monday'] };
    const answer = await practice.rest('rpc/free_slots?limit=1', { method: 'POST', body: args });
    expect(answer.json).toMatchObject([{ start_time: '09:00' }]);
  });

  it('begins today if no dates are given', async () => {
    const { status, json } = await slots('duration=60&select=date');
    expect(status).toBe(200);
    expect(json).not.toHaveLength(0);
  });

  it('offers a group until its seats are taken', async () => {
    const taken = onMonday('09:00', '10:00', { service_id: group });
    const left = async (): Promise<unknown> =>
      (await slots(`service_id=${group}&${range}&start_time=eq.09:00&select=seats_left`)).json;
    expect(await left()).toEqual([{ seats_left: 3 }]);
    for (const seats of [2, 1]) {
      expect((await post('appointments', taken)).status).toBe(201);
      expect(await left()).toEqual([{ seats_left: seats }]);
    }
    expect((await post('appointments', taken)).status).toBe(201);
    expect(await left()).toEqual([]);
    expect((await post('appointments', taken)).json).toMatchObject({ code: 'PM002' });
  });

  it.each([
    ['', '22023'],
    ['duration=0', '22023'],
    ['duration=x', '22P02'],
    ['duration=60&weekdays={someday}', '22023'],
    ['duration=60&weekdays=monday', '22P02'],
    ['duration=60&from=2030-01-02&to=2030-01-01', '22023'],
    ['duration=60&from=2030-01-01&to=2030-04-04', '22023'],
    ['duration=60&from=0001-01-01', '22023'],
    ['duration=60&from=2030-02-30', '22008'],
    ['service_id=01890000-0000-7000-8000-000000000000', '22023'],
  ])('refuses %j with %s', async (query, code) => {
    const { status, json } = await slots(query);
    expect([status, json]).toMatchObject([400, { code }]);
  });
});

describe('booking rules', () => {
  it('apply only if the practice enforces them, and never to an appointment that allows overlap', async () => {
    const outside = onMonday('18:00', '19:00');
    expect((await post('appointments', outside)).status).toBe(201);
    await settle({
      enforce_booking_rules: true,
      buffer_before: 5,
      buffer_after: 10,
      minimum_notice: 60,
      booking_horizon: 30,
    });
    const refused = async (body: object): Promise<unknown> => {
      const { status, json } = await post('appointments', body);
      return [
        status,
        (json as { code: string }).code,
        String((json as { details: string }).details).split(':')[0],
      ];
    };
    expect(await refused(onMonday('19:00', '20:00'))).toEqual([409, 'PM008', 'hours']);
    expect(await refused(onMonday('10:40', '11:00'))).toEqual([409, 'PM008', 'buffer']);
    expect(await refused(onMonday('10:15', '11:00'))).toEqual([409, 'PM002', expect.any(String)]);
    const shifted = (days: number): object => {
      const date = new Date(Date.parse(monday) + days * 86_400_000).toISOString().slice(0, 10);
      return { ...onMonday('09:00', '10:00'), date };
    };
    expect(await refused(shifted(70))).toEqual([409, 'PM008', 'horizon']);
    expect(await refused(shifted(-70))).toEqual([409, 'PM008', 'notice']);
    expect((await post('appointments', onMonday('19:00', '20:00', { allow_overlap: true }))).status).toBe(
      201,
    );
    expect((await post('appointments', onMonday('19:00', '20:00', { status: 'completed' }))).status).toBe(
      201,
    );
    // A correction is no booking.
    const corrected = { method: 'PATCH', body: { status: 'confirmed' } };
    expect((await practice.rest('appointments?status=eq.completed', corrected)).status).toBe(204);
  });

  it('accept every offered slot, and no other time at the step', async () => {
    await settle({ enforce_booking_rules: true, slot_step: 15 });
    const offered = new Set(starts(await slots(`duration=30&${range}`)));
    expect(offered.size).toBeGreaterThan(0);
    const dry = { prefer: 'tx=rollback' };
    for (let minutes = 9 * 60; minutes + 30 < 13 * 60; minutes += 15) {
      const time = (at: number): string => new Date(at * 60_000).toISOString().slice(11, 16);
      const body = onMonday(time(minutes), time(minutes + 30));
      const { status } = await practice.rest('appointments', { method: 'POST', body, headers: dry });
      expect([time(minutes), status]).toEqual([time(minutes), offered.has(time(minutes)) ? 201 : 409]);
    }
  });
});
