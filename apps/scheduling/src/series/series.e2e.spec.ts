// Series of appointments through the API: created, changed by a PATCH, ended, deleted and undone.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import type { Database } from '@practice/client-types';
import { make, newPractice, stack, write, type Made, type Practice } from '@practice/testing';
import { occurrences } from './occurrences.js';
import { at, later, problem, seriesOf, weekly as weeklySeries } from './testing/series.js';

let practice: Practice;
/** The first day of the series of a test. */
let date: string;
const { post, patch, undo, booked, created } = seriesOf(() => practice);
const weekly = (count?: number) => {
  const body = weeklySeries(count);
  ({ date } = body);
  return body;
};

beforeAll(async () => {
  practice = await newPractice();
});

describe('creating', () => {
  it('books every occurrence in one change, with the values of the series', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const service = await make(practice, 'service_menu', { name: 'Therapy', duration: 50, price: 1 });
    const { end_time: _, ...body } = weekly();
    const answer = await post({ ...body, client_id: client.id, service_id: service.id, notes: 'bring it' });
    const [series] = answer.json as [Made];
    expect(series).toMatchObject({ end_time: '09:50', status: 'active', skipped: [], on_conflict: 'reject' });
    const rows = await booked(series.id);
    expect(rows.map((row) => row.date)).toEqual([0, 7, 14, 21].map((days) => later(date, days)));
    for (const row of rows)
      expect(row).toMatchObject({
        ...{
          start_time: '09:00',
          end_time: '09:50',
          client_id: client.id,
          client_name: 'Ada',
          notes: 'bring it',
        },
        ...{ service_id: service.id, series_date: row.date, is_exception: false, status: 'scheduled' },
      });
    const history = await practice.rest(
      `appointments_history?change_id=eq.${answer.headers.get('change-id')}`,
    );
    expect(history.json).toHaveLength(4);
    const embedded = await practice.rest(
      `appointment_series?id=eq.${series.id}&select=skipped,appointments(date)`,
    );
    expect(embedded.json).toMatchObject([
      { skipped: [], appointments: rows.map((row) => ({ date: row.date })) },
    ]);
  });

  it.each([
    ['20310107', '20310108'],
    // The zone is UTC, so the next occurrence would begin a minute after this instant.
    ['20310108T085900Z', '20310108T090000Z'],
  ])(
    'with an end at %s is possible, as it has 366 occurrences; at %s, it has too many',
    async (last, next) => {
      const own = await newPractice();
      const until = (end: string) =>
        write(own, 'appointment_series', {
          method: 'POST',
          body: { ...weeklySeries(), date: '2030-01-07', rrule: `FREQ=DAILY;UNTIL=${end}` },
        });
      expect(await until(next)).toMatchObject({
        status: 400,
        json: { code: '22023', details: expect.stringContaining('more than 366') },
      });
      expect((await until(last)).status).toBe(201);
      expect((await own.rest('appointments?select=count()')).json).toEqual([{ count: 366 }]);
    },
  );

  it('is refused as a whole, and the error names the first occurrence that is taken', async () => {
    const body = weekly();
    const taken = await make(practice, 'appointments', {
      date: later(date, 14),
      start_time: '09:30',
      end_time: '10:30',
    });
    const [status, code, details] = await problem(post(body));
    expect([status, code]).toEqual([409, 'PM002']);
    expect(details).toEqual([
      {
        ...{ about: `Occurrence on ${later(date, 14)}`, id: taken.id, date: later(date, 14) },
        ...{ start_time: '09:30', end_time: '10:30' },
      },
    ]);
    expect(
      (await practice.rest(`appointments?date=gte.${date}&date=lte.${later(date, 30)}`)).json,
    ).toHaveLength(1);
  });

  it('is refused above the maximum number of rows of a write, before other rules are checked', async () => {
    const daily = { ...weekly(), rrule: 'FREQ=DAILY;COUNT=366', on_conflict: 'skip' };
    const [status, code, details] = await problem(post([daily, daily, daily]));
    expect([status, code, details]).toEqual([413, 'PM413', expect.stringMatching(/^Record at index 2: /)]);
    expect((await practice.rest(`appointments?date=eq.${date}`)).json).toEqual([]);
  });

  it('leaves out taken dates with skip, unless all are taken', async () => {
    const body = { ...weekly(), on_conflict: 'skip' };
    await make(practice, 'appointments', { date: later(date, 7), start_time: '09:30', end_time: '10:30' });
    const series = await created(body);
    expect(series).toMatchObject({ skipped: [later(date, 7)] });
    expect(await booked(series.id)).toHaveLength(3);
    expect((await problem(post({ ...body, rrule: 'FREQ=WEEKLY;COUNT=1' }))).slice(0, 2)).toEqual([
      409,
      'PM002',
    ]);
  });

  it('does nothing in a dry run, and happens once for an Idempotency-Key', async () => {
    const body = weekly();
    const dry = await post(body, { prefer: 'return=representation, tx=rollback' });
    expect([dry.status, dry.headers.get('change-id')]).toEqual([201, null]);
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [await post(body, key), await post(body, key)];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(await booked((first.json as [Made])[0].id)).toHaveLength(4);
  });

  it('accepts several series in one request, each after the bookings of the series before it', async () => {
    const body = { ...weekly(2), on_conflict: 'skip' };
    const answer = await post([body, { ...body, rrule: 'FREQ=WEEKLY;COUNT=3' }] as never);
    expect(answer.json).toMatchObject([{ skipped: [] }, { skipped: [date, later(date, 7)] }]);
    const many = Array(11).fill(weekly());
    expect((await problem(post(many as never))).slice(0, 2)).toEqual([413, 'PM413']);
  });

  it('is undone as one change', async () => {
    const answer = await post(weekly());
    const [series] = answer.json as [Made];
    expect((await undo(answer)).status).toBe(200);
    expect(await booked(series.id)).toEqual([]);
    expect((await practice.rest(`appointment_series?id=eq.${series.id}`)).json).toEqual([]);
  });
});

describe('the end', () => {
  it('cancels future appointments, and is undone', async () => {
    const series = await created(weekly());
    const answer = await patch(series.id, { status: 'ended' });
    const statuses = async () => (await booked(series.id)).map((row) => row.status);
    expect(await statuses()).toEqual(Array(4).fill('cancelled'));
    expect((await problem(patch(series.id, { status: 'active' }))).slice(0, 2)).toEqual([409, 'PM001']);
    expect((await undo(answer)).status).toBe(200);
    expect(await statuses()).toEqual(Array(4).fill('scheduled'));
  });

  it('keeps past appointments', async () => {
    const body = { ...weekly(), date: '2020-01-06' };
    const series = await created(body);
    await patch(series.id, { status: 'ended' });
    expect((await booked(series.id)).map((row) => row.status)).toEqual(Array(4).fill('scheduled'));
  });

  it('takes effect at the time of the command in the time zone of the practice', async () => {
    const own = await newPractice();
    const settings = `practice_settings?id=eq.${own.therapistId}`;
    const zone = { time_zone: 'Pacific/Kiritimati' };
    expect((await own.rest(settings, { method: 'PATCH', body: zone })).status).toBe(204);
    // In UTC, this hour has not begun. Fourteen hours to the east, it has ended.
    const next = new Date(Date.now() + 3_600_000).toISOString();
    const [day, hour] = [next.slice(0, 10), next.slice(11, 13)];
    const span = { date: day, start_time: `${hour}:00`, end_time: `${hour}:10` };
    const { id } = await make(own, 'appointment_series', { rrule: 'FREQ=DAILY;COUNT=2', ...span });
    const body = { status: 'ended' };
    expect((await own.rest(`appointment_series?id=eq.${id}`, { method: 'PATCH', body })).status).toBe(204);
    const { json } = await own.rest('appointments?select=status&order=date');
    expect(json).toEqual([{ status: 'scheduled' }, { status: 'cancelled' }]);
  });

  it('is a part of a deletion, after which the appointments belong to no series', async () => {
    const series = await created(weekly());
    const ids = (await booked(series.id)).map(({ id }) => id).join();
    const answer = await practice.rest(`appointment_series?id=eq.${series.id}`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const rows = (await practice.rest(`appointments?id=in.(${ids})`)).json;
    expect(rows).toEqual(Array(4).fill(expect.objectContaining({ status: 'cancelled', series_id: null })));
    const undone = await undo(answer);
    expect([undone.status, undone.status === 200 ? '' : undone.text]).toEqual([200, '']);
    expect((await booked(series.id)).map((row) => row.status)).toEqual(Array(4).fill('scheduled'));
  });
});

it('a PATCH of a series changes its future appointments', async () => {
  const series = await created(weekly());
  const rule = { rrule: 'FREQ=WEEKLY;COUNT=5', notes: 'new' };
  expect((await patch(series.id, rule)).status).toBe(204);
  expect((await booked(series.id)).map((row) => row['notes'])).toEqual(Array(5).fill('new'));
});

it('a series with skip books exactly the free occurrences, and an undo removes all of them', async () => {
  const rule = fc.constantFrom(
    'FREQ=DAILY;COUNT=6',
    'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6',
    'FREQ=DAILY;INTERVAL=2;COUNT=4',
  );
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rule, hours, async (rrule, days) => {
      const body = { ...weekly(), rrule, on_conflict: 'skip' };
      const taken = days.map((day) => later(date, day));
      for (const day of taken)
        await make(practice, 'appointments', { ...at(day), start_time: '09:40', end_time: '10:20' });
      const all = occurrences(rrule, date);
      const answer = await post(body);
      if (all.every((day) => taken.includes(day))) return expect(answer.status).toBe(409);
      const [series] = answer.json as [Made];
      expect((await booked(series.id)).map((row) => row.date)).toEqual(
        all.filter((day) => !taken.includes(day)),
      );
      expect(series['skipped']).toEqual(all.filter((day) => taken.includes(day)));
      expect((await undo(answer)).status).toBe(200);
      const rest = await practice.rest(
        `appointments?date=gte.${date}&date=lte.${later(date, 30)}&select=date`,
      );
      expect((rest.json as object[]).length).toBe(taken.length);
      expect((await practice.rest(`appointment_series?id=eq.${series.id}`)).json).toEqual([]);
    }),
    { numRuns: 6 },
  );
});

it('concurrent series and single bookings never take the same time', async () => {
  const body = weekly(3);
  const single = (week: number) => ({ ...at(later(date, week * 7)), start_time: '09:20', end_time: '09:40' });
  const singles = [0, 1, 2].map((week) =>
    practice.rest('appointments', { method: 'POST', body: single(week) }),
  );
  const rivals = [1, 2, 3].map(() => post({ ...body, on_conflict: 'skip' }));
  const answers = await Promise.all([...rivals, ...singles, post(body)]);
  for (const { status } of answers) expect([201, 409]).toContain(status);
  const rows = (
    await practice.rest(
      `appointments?date=gte.${date}&date=lte.${later(date, 30)}&status=eq.scheduled&select=date`,
    )
  ).json as { date: string }[];
  expect(rows.map((row) => row.date).sort()).toEqual([0, 7, 14].map((days) => later(date, days)));
});

it('a series can be used with supabase-js as documented', async () => {
  const supabase = createClient<Database>(stack().baseUrl, stack().apikey, {
    accessToken: () => Promise.resolve(practice.token),
    realtime: { transport: WebSocket as never },
  });
  const { rrule } = weekly(3);
  const { data: series } = await supabase
    .from('appointment_series')
    .insert({ rrule, date, start_time: '09:00', end_time: '09:50', on_conflict: 'skip' })
    .select('id, skipped, appointments(date, status)')
    .single();
  expect(series).toMatchObject({ skipped: [], appointments: Array(3).fill({ status: 'scheduled' }) });
  const id = series?.id ?? '';
  const { data: changed } = await supabase
    .rpc('change_series', { series_id: id, from_date: later(date, 7), start_time: '10:00' })
    .single();
  expect(changed).toMatchObject({ end_time: '10:50', changed: 2 });
  await supabase.from('appointment_series').update({ status: 'ended' }).eq('id', id);
  expect((await booked(id)).map((row) => row.status)).toEqual(Array(3).fill('cancelled'));
});

it('a rule that would take too long to expand is refused', async () => {
  for (const rrule of [
    'FREQ=DAILY;COUNT=1000000000',
    'FREQ=DAILY;INTERVAL=999999999;COUNT=2',
    'FREQ=SECONDLY;COUNT=5',
  ])
    expect((await problem(post({ ...weekly(), rrule }))).slice(0, 2)).toEqual([400, '22023']);
  expect((await problem(post({ ...weekly(), rrule: 'weekly' }))).slice(0, 2)).toEqual([400, '23514']);
});
