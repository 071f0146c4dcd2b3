// Series in past states and histories, and in the erasure of a client.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adminDatabase, eventually, make, newPractice, tablesWith } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { later, seriesOf, weekly } from './testing/series.js';

const text = `planted-${randomUUID()}`;
const admin = adminDatabase();
let practice: Practice;
let client: Made;
let series: Made;
let date: string;
/** Instants after the booking, the change and the end of the series. */
let instants: string[];
let changes: string[];
const { call, created } = seriesOf(() => practice);

const rowsOf = async (path: string): Promise<Record<string, unknown>[]> => {
  const { status, json } = await practice.rest(path);
  expect([path, status]).toEqual([path, 200]);
  return json as Record<string, unknown>[];
};

const appointmentsAt = (instant: string): Promise<Record<string, unknown>[]> =>
  rowsOf(
    `appointments?series_id=eq.${series.id}&order=date&select=start_time,status,notes&as_of=${encodeURIComponent(instant)}`,
  );

const seriesAt = (instant: string): Promise<Record<string, unknown>[]> =>
  rowsOf(`appointment_series?id=eq.${series.id}&as_of=${encodeURIComponent(instant)}`);

beforeAll(async () => {
  practice = await newPractice();
  client = await make(practice, 'clients', { name: text });
  const body = weekly(3);
  ({ date } = body);
  series = await created({ ...body, client_id: client.id, notes: text });
  const args = { series_id: series.id, from_date: later(date, 7), start_time: '15:00' };
  expect((await call({ ...args, notes: `later ${text}` })).status).toBe(200);
  const ended = { method: 'PATCH', body: { status: 'ended' } };
  expect((await practice.rest(`appointment_series?id=eq.${series.id}`, ended)).status).toBe(204);
  const events = await rowsOf(`appointment_series_history?id=eq.${series.id}&order=version`);
  instants = events.map(({ at }) => String(at));
  changes = events.map(({ change_id: id }) => String(id));
});

describe('a series', () => {
  it('and its appointments have past states', async () => {
    const [booked = '', changed = '', ended = ''] = instants;
    const one = (start_time: string, status = 'scheduled') => expect.objectContaining({ start_time, status });
    expect(await appointmentsAt(booked)).toEqual([one('09:00'), one('09:00'), one('09:00')]);
    expect(await appointmentsAt(changed)).toEqual([one('09:00'), one('15:00'), one('15:00')]);
    expect(await appointmentsAt(ended)).toEqual([
      one('09:00', 'cancelled'),
      one('15:00', 'cancelled'),
      one('15:00', 'cancelled'),
    ]);
    expect(await seriesAt(booked)).toMatchObject([{ start_time: '09:00', status: 'active', notes: text }]);
    expect(await seriesAt(changed)).toMatchObject([{ start_time: '15:00', end_time: '15:50' }]);
    const before = new Date(Date.parse(booked) - 60_000).toISOString();
    expect([...(await seriesAt(before)), ...(await appointmentsAt(before))]).toEqual([]);
  });

  it('has one change with its appointments in the histories', async () => {
    const events = await rowsOf(
      `appointment_series_history?id=eq.${series.id}&order=version&select=event,before,after`,
    );
    expect(events.map(({ event }) => event)).toEqual([
      'AppointmentSeriesScheduled',
      'AppointmentSeriesChanged',
      'AppointmentSeriesEnded',
    ]);
    expect(events[1]).toMatchObject({ before: { start_time: '09:00' }, after: { start_time: '15:00' } });
    const counts = await Promise.all(
      changes.map(async (id) => {
        const rows = await rowsOf(`appointments_history?change_id=eq.${id}&select=id`);
        return new Set(rows.map((row) => row['id'])).size;
      }),
    );
    expect(counts).toEqual([3, 2, 3]);
  });

  it('keeps no value of an erased client, neither now nor in past states', async () => {
    const { status, json } = await practice.rest('rpc/erase_client', {
      method: 'POST',
      body: { client_id: client.id },
    });
    expect(status).toBe(202);
    const { id } = json as { id: string };
    await eventually('the erasure is done', async () => {
      const [erasure] = await rowsOf(`erasures?id=eq.${id}`);
      return erasure?.['status'] === 'done';
    });
    expect(await tablesWith(admin, text)).toEqual({});
    const own = { client_id: client.id, notes: null };
    expect(await rowsOf(`appointment_series?id=eq.${series.id}`)).toMatchObject([own]);
    expect(await seriesAt(instants[0] ?? '')).toMatchObject([{ ...own, status: 'active' }]);
    expect(await appointmentsAt(instants[1] ?? '')).toMatchObject(Array(3).fill({ notes: null }));
    const events = await rowsOf(`appointment_series_history?id=eq.${series.id}&order=version`);
    expect(events.map(({ erased }) => erased)).toEqual([true, true, false]);
  });
});
