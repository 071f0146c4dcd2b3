// `rpc/change_series` through the API.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { make, newPractice, type Practice } from '@practice/testing';
import { later, problem, seriesOf, weekly as weeklySeries, type Booked } from './testing/series.js';

let practice: Practice;
/** The first day of the series of a test. */
let date: string;
const { call, undo, booked, created } = seriesOf(() => practice);
const weekly = (count?: number) => {
  const body = weeklySeries(count);
  ({ date } = body);
  return body;
};

beforeAll(async () => {
  practice = await newPractice();
});

describe('change_series', () => {
  it('changes this and the following appointments, except exceptions, and is undone as one change', async () => {
    const series = await created(weekly(5));
    const before = await booked(series.id);
    const moved = before[3] as Booked;
    await practice.rest(`appointments?id=eq.${moved.id}`, {
      method: 'PATCH',
      body: { start_time: '12:00', end_time: '12:50' },
    });
    const args = { series_id: series.id, from_date: later(date, 7), start_time: '15:00' };
    const answer = await call(args);
    expect(answer.json).toMatchObject({
      start_time: '15:00',
      end_time: '15:50',
      changed: 3,
      booked: 0,
      cancelled: 0,
    });
    const times = async () => (await booked(series.id)).map((row) => row.start_time);
    expect(await times()).toEqual(['09:00', '15:00', '15:00', '12:00', '15:00']);
    expect((await undo(answer)).status).toBe(200);
    expect(await times()).toEqual(['09:00', '09:00', '09:00', '12:00', '09:00']);
    expect((await call({ ...args, include_exceptions: true })).json).toMatchObject({ changed: 4 });
    expect(await times()).toEqual(['09:00', '15:00', '15:00', '15:00', '15:00']);
  });

  it('moves a daily series by a day, and to other weekdays with a new rule', async () => {
    const series = await created({ ...weekly(), rrule: 'FREQ=DAILY;COUNT=4' });
    await call({ series_id: series.id, from_date: later(date, 1), date: later(date, 2) });
    const days = async () => (await booked(series.id)).map((row) => [row.date, row.status]);
    const at = (...offsets: number[]) => offsets.map((days) => [later(date, days), 'scheduled']);
    expect(await days()).toEqual(at(0, 2, 3, 4));
    const rrule = 'FREQ=WEEKLY;BYDAY=TH,FR;COUNT=4';
    const answer = await call({
      series_id: series.id,
      from_date: later(date, 2),
      date: later(date, 3),
      rrule,
    });
    expect(answer.json).toMatchObject({ rrule, changed: 3, booked: 1, cancelled: 0 });
    expect(await days()).toEqual(at(0, 3, 4, 10, 11));
    expect((await undo(answer)).status).toBe(200);
    expect(await days()).toEqual(at(0, 2, 3, 4));
  });

  it('lets the series begin with the first occurrence that it changes', async () => {
    const series = await created(weekly(5));
    const read = async () => (await practice.rest(`appointment_series?id=eq.${series.id}`)).json;
    const answer = await call({ series_id: series.id, from_date: later(date, 8), start_time: '15:00' });
    const changed = { date: later(date, 14), rrule: 'FREQ=WEEKLY;COUNT=3', start_time: '15:00' };
    expect(answer.json).toMatchObject({ ...changed, changed: 3, booked: 0, cancelled: 0 });
    expect(await read()).toMatchObject([changed]);
    expect((await undo(answer)).status).toBe(200);
    expect(await read()).toMatchObject([{ date, rrule: 'FREQ=WEEKLY;COUNT=5', start_time: '09:00' }]);
  });

  it('keeps the day of a moved appointment if only the time of the series changes', async () => {
    const series = await created(weekly(3));
    const [, second] = await booked(series.id);
    await practice.rest(`appointments?id=eq.${second?.id}`, {
      method: 'PATCH',
      body: { date: later(date, 8) },
    });
    await call({
      series_id: series.id,
      from_date: later(date, 7),
      start_time: '15:00',
      include_exceptions: true,
    });
    expect((await booked(series.id)).map((row) => [row.date, row.start_time])).toEqual([
      [date, '09:00'],
      [later(date, 8), '15:00'],
      [later(date, 14), '15:00'],
    ]);
  });

  it('refuses a day after the last occurrence, and changes nothing if no value is given', async () => {
    const series = await created(weekly());
    const args = { series_id: series.id, from_date: later(date, 22) };
    const [status, code, details] = await problem(call({ ...args, start_time: '15:00' }));
    expect([status, code, details]).toEqual([400, '22023', expect.stringContaining('no occurrence on')]);
    expect((await practice.rest(`appointment_series?id=eq.${series.id}`)).json).toMatchObject([
      { date, start_time: '09:00' },
    ]);
    const nothing = await call({ ...args, from_date: later(date, 7) });
    expect([nothing.status, nothing.headers.get('change-id')]).toEqual([200, null]);
  });

  it('changes nothing if a time is taken', async () => {
    const series = await created(weekly());
    await make(practice, 'appointments', { date: later(date, 21), start_time: '15:00', end_time: '16:00' });
    const args = { series_id: series.id, from_date: date, start_time: '15:00' };
    expect((await problem(call(args))).slice(0, 2)).toEqual([409, 'PM002']);
    expect((await booked(series.id)).map((row) => row.start_time)).toEqual(Array(4).fill('09:00'));
    expect((await problem(call(args, { 'if-match': '"7"' }))).slice(0, 2)).toEqual([412, 'PM006']);
    expect((await problem(call({ ...args, series_id: randomUUID() }))).slice(0, 2)).toEqual([404, 'PM404']);
  });

  it('clears a value that is null, and keeps a value that is omitted', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const own = { client_id: client.id, practitioner_id: practice.therapistId, notes: 'bring it' };
    const series = await created({ ...weekly(), ...own });
    const args = { series_id: series.id, from_date: later(date, 14) };
    const answer = await call({ ...args, practitioner_id: null, notes: null });
    expect(answer.json).toMatchObject({ changed: 2, start_time: '09:00', end_time: '09:50' });
    const cleared = { client_id: client.id, practitioner_id: null, notes: null };
    expect(await booked(series.id)).toMatchObject([own, own, cleared, cleared]);
    const { json } = await practice.rest(`appointment_series?id=eq.${series.id}`);
    expect(json).toMatchObject([cleared]);
    expect((await call({ ...args, client_id: null })).json).toMatchObject({ changed: 2 });
    const last = { client_id: null, client_name: null };
    expect(await booked(series.id)).toMatchObject([own, own, last, last]);
    expect((await undo(answer)).status).toBe(200);
    expect(await booked(series.id)).toMatchObject([own, own, { notes: 'bring it' }, { notes: 'bring it' }]);
  });

  it('refuses to clear a required value, and computes an end that is null', async () => {
    const series = await created(weekly());
    const args = { series_id: series.id, from_date: date };
    for (const name of ['start_time', 'rrule', 'date'])
      expect((await problem(call({ ...args, [name]: null }))).slice(0, 2)).toEqual([400, '23502']);
    const service = await make(practice, 'service_menu', { name: 'Therapy', duration: 25, price: 1 });
    const shorter = await call({ ...args, service_id: service.id, end_time: null });
    expect(shorter.json).toMatchObject({ changed: 4, end_time: '09:25' });
    const without = await call({ ...args, service_id: null });
    expect(without.json).toMatchObject({ changed: 4, end_time: '09:25' });
  });
});
