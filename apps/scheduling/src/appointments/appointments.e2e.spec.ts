import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newPractice, stack, type Answer, type Practice } from '@practice/testing';
import pg from 'pg';

let practice: Practice;
let day = 0;
/** A day that is different for each test. */
let date: string;

beforeAll(async () => {
  practice = await newPractice();
});

beforeEach(() => {
  date = new Date(Date.UTC(2031, 0, ++day)).toISOString().slice(0, 10);
});

const at = (from = '09:00', to = '10:00') => ({ date, start_time: from, end_time: to });
const back = { prefer: 'return=representation' };
const post = (body: unknown, headers: Record<string, string> = back): Promise<Answer> =>
  practice.rest('appointments', { method: 'POST', body, headers });
const patch = (filter: string, body: unknown, headers: Record<string, string> = back): Promise<Answer> =>
  practice.rest(`appointments?${filter}`, { method: 'PATCH', body, headers });
const remove = (filter: string, headers: Record<string, string> = {}): Promise<Answer> =>
  practice.rest(`appointments?${filter}`, { method: 'DELETE', headers });

type Row = Record<string, unknown> & { id: string };

async function created(body: object): Promise<Row> {
  const { status, json } = await post(body);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return (json as [Row])[0];
}

async function eventsOf(id: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: stack().databaseUrl('scheduling_owner') });
  await client.connect();
  try {
    const { rows } = await client.query<{ type: string }>(
      'SELECT type FROM events WHERE therapist_id = $1 AND stream_id = $2 ORDER BY version',
      [practice.therapistId, id],
    );
    return rows.map(({ type }) => type);
  } finally {
    await client.end();
  }
}

describe('creating', () => {
  it('returns every column with its default, in the format of reads', async () => {
    const { status, headers, text, json } = await post(at());
    expect(status).toBe(201);
    const [row] = json as [Row];
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/) as unknown;
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/) as unknown,
      therapist_id: practice.therapistId,
      ...at(),
      ...{ starts_at: '2031-01-01T09:00:00+00:00', ends_at: '2031-01-01T10:00:00+00:00' },
      status: 'scheduled',
      client_id: null,
      client_name: null,
      service_id: null,
      practitioner_id: null,
      price: null,
      notes: null,
      allow_overlap: false,
      series_id: null,
      series_date: null,
      is_exception: false,
      ...{ external_id: null, metadata: null },
      created_at: instant,
      updated_at: instant,
    });
    expect(headers.get('location')).toBe(`/appointments?id=eq.${row.id}`);
    expect((await practice.rest(`appointments?id=eq.${row.id}`)).text).toBe(text);
    expect(await eventsOf(row.id)).toEqual(['AppointmentScheduled']);
  });

  it('stores the values of the caller in canonical form', async () => {
    const id = randomUUID();
    const row = await created({
      id: id.toUpperCase(),
      therapist_id: practice.therapistId,
      date: date.replace(/-0?(\d+)$/, '-$1'),
      start_time: '9:00:00',
      end_time: '10:00',
      status: 'completed',
      client_name: 'Zoe\u0308',
      notes: '',
      allow_overlap: 'yes',
      created_at: '2020-01-01T10:00:00+02:00',
      updated_at: '2020-01-01',
    });
    expect(row).toMatchObject({
      id,
      ...at(),
      status: 'completed',
      client_name: 'Zoë',
      notes: '',
      allow_overlap: true,
    });
    expect(row['created_at']).toBe('2020-01-01T08:00:00+00:00');
    expect(row['updated_at']).not.toMatch(/^2020/);
  });

  it.each([
    [{ date: undefined }, '23502'],
    [{ start_time: null }, '23502'],
    [{ end_time: undefined }, '23502'],
    [{ status: null }, '23502'],
    [{ end_time: '09:00' }, '23514'],
    [{ status: 'done' }, '23514'],
    [{ date: '2031-02-30' }, '22008'],
    [{ date: 'soon' }, '22007'],
    [{ start_time: '25:00' }, '22008'],
    [{ client_id: 'abc' }, '22P02'],
    [{ allow_overlap: 'maybe' }, '22P02'],
    [{ notes: 'x'.repeat(65_537) }, '22001'],
    [{ seat: 1 }, 'PGRST204'],
    [{ version: 1 }, 'PGRST204'],
  ])('refuses %j with %s', async (but, code) => {
    expect(await post({ ...at(), ...but })).toMatchObject({ status: 400, json: { code } });
  });

  it('accepts an id only once', async () => {
    const { id } = await created(at());
    expect(await post({ id, ...at('11:00', '12:00') })).toMatchObject({
      status: 409,
      json: { code: '23505', details: `Key (id)=(${id}) already exists.` },
    });
  });

  it('creates all records of a body or none', async () => {
    const bodies = [at('09:00', '10:00'), at('10:00', '11:00')];
    const taken = await post([...bodies, at('10:30', '11:30')]);
    expect(taken).toMatchObject({
      status: 409,
      json: { code: 'PM002', details: [{ about: 'Record at index 2' }] },
    });
    expect((await practice.rest(`appointments?date=eq.${date}`)).text).toBe('[]');
    const { status, json } = await post(bodies);
    expect(status).toBe(201);
    expect(json).toMatchObject(bodies);
  });

  it('returns only the Location by default', async () => {
    const { status, headers, text } = await post(at(), {});
    expect({ status, text }).toEqual({ status: 201, text: '' });
    expect(headers.get('location')).toMatch(/^\/appointments\?id=eq\.[0-9a-f-]{36}$/);
  });

  it('is a dry run with tx=rollback', async () => {
    const { status, json } = await post(at(), { prefer: 'return=representation, tx=rollback' });
    expect(status).toBe(201);
    expect(await eventsOf((json as [Row])[0].id)).toEqual([]);
    expect((await practice.rest(`appointments?date=eq.${date}`)).text).toBe('[]');
  });
});

describe('reading', () => {
  it('responds to HEAD as to GET, without the body', async () => {
    await created(at());
    const headers = { prefer: 'count=exact' };
    const get = await practice.rest(`appointments?date=eq.${date}`, { headers });
    const head = await practice.rest(`appointments?date=eq.${date}`, { method: 'HEAD', headers });
    expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
    expect(head.headers.get('content-range')).toBe('0-0/1');
    expect(get.headers.get('content-range')).toBe('0-0/1');
  });
});

describe('changing', () => {
  it('stores events, and returns the record', async () => {
    const { id } = await created(at());
    const { status, json } = await patch(`id=eq.${id}`, {
      start_time: '08:30',
      notes: 'new',
      status: 'confirmed',
    });
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { id, start_time: '08:30', end_time: '10:00', notes: 'new', status: 'confirmed' },
    ]);
    expect(await eventsOf(id)).toEqual([
      'AppointmentScheduled',
      'AppointmentRescheduled',
      'AppointmentDetailsChanged',
      'AppointmentConfirmed',
    ]);
  });

  it('computes the end of a moved appointment if end_time is null', async () => {
    const { id } = await created(at('09:00', '10:15'));
    const moved = await patch(`id=eq.${id}`, { start_time: '14:00', end_time: null });
    expect(moved).toMatchObject({ status: 200, json: [{ start_time: '14:00', end_time: '15:15' }] });
    const early = await patch(`id=eq.${id}`, { start_time: '16:00' });
    expect(early).toMatchObject({
      status: 400,
      json: {
        code: '23514',
        hint: 'Set start_time and end_time together, or set end_time to null to compute it.',
      },
    });
  });

  it('writes nothing if no value differs', async () => {
    const row = await created({ ...at(), notes: 'same' });
    const same = await patch(`id=eq.${row.id}`, {
      status: 'scheduled',
      notes: 'same',
      start_time: '9:00:00',
    });
    expect(same).toMatchObject({ status: 200, json: [row] });
    expect(await eventsOf(row.id)).toEqual(['AppointmentScheduled']);
  });

  it('accepts a whole record as it was read', async () => {
    const row = await created(at());
    const { status, json } = await patch(`id=eq.${row.id}`, { ...row, notes: 'read, modified, written' });
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { id: row.id, created_at: row['created_at'], notes: 'read, modified, written' },
    ]);
  });

  it.each([
    ['id', () => randomUUID()],
    ['created_at', () => '2020-01-01T00:00:00+00:00'],
  ])('refuses another %s', async (column, other) => {
    const { id } = await created(at());
    const { status } = await patch(`id=eq.${id}`, { [column]: other() });
    expect(status).toBe(400);
    expect(await eventsOf(id)).toEqual(['AppointmentScheduled']);
  });

  it('applies to every row of the filter, or to none if one is rejected', async () => {
    const rows = [await created(at('09:00', '10:00')), await created(at('10:00', '11:00'))];
    const { status, headers } = await patch(`date=eq.${date}`, { notes: 'all' }, {});
    expect([status, headers.get('content-range')]).toEqual([204, '0-1/*']);
    await patch(`id=eq.${rows[1]?.id}`, { status: 'cancelled' });
    const refused = await patch(`date=eq.${date}`, { status: 'completed' });
    expect(refused).toMatchObject({ status: 409, json: { code: 'PM001' } });
    const { json } = await practice.rest(`appointments?select=status,notes&date=eq.${date}&order=start_time`);
    expect(json).toEqual([
      { status: 'scheduled', notes: 'all' },
      { status: 'cancelled', notes: 'all' },
    ]);
  });

  it('to a status that is not allowed lists the allowed ones', async () => {
    const { id } = await created({ ...at(), status: 'completed' });
    const { status, json } = await patch(`id=eq.${id}`, { status: 'cancelled' });
    expect({ status, json }).toMatchObject({ status: 409, json: { code: 'PM001' } });
    expect((json as { hint: string }).hint).toContain('confirmed');
  });

  it('needs a filter, which may match no record', async () => {
    expect(await practice.rest('appointments', { method: 'PATCH', body: { notes: 'x' } })).toMatchObject({
      status: 400,
      json: { code: '21000' },
    });
    const { status, headers } = await patch(`id=eq.${randomUUID()}`, { notes: 'x' }, {});
    expect([status, headers.get('content-range')]).toEqual([204, '*/*']);
  });
});

describe('deleting', () => {
  it('returns the record and removes it', async () => {
    const row = await created(at());
    expect(await remove(`id=eq.${row.id}`, back)).toMatchObject({ status: 200, json: [row] });
    expect((await practice.rest(`appointments?id=eq.${row.id}`)).text).toBe('[]');
    expect((await remove(`id=eq.${row.id}`)).status).toBe(204);
  });

  it('frees the id, and the stream continues', async () => {
    const { id } = await created(at());
    await remove(`id=eq.${id}`);
    expect(await created({ id, ...at('15:00', '16:00') })).toMatchObject({ id, start_time: '15:00' });
    await patch(`id=eq.${id}`, { notes: 'again' });
    expect(await eventsOf(id)).toEqual([
      'AppointmentScheduled',
      'AppointmentDeleted',
      'AppointmentScheduled',
      'AppointmentDetailsChanged',
    ]);
  });
});
