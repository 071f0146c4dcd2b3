import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newPractice, type Answer, type Practice } from '@practice/testing';

let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

const back = { prefer: 'return=representation' };
const post = (path: string, body: unknown, whose = practice): Promise<Answer> =>
  whose.rest(path, { method: 'POST', body, headers: back });
const patch = (path: string, body: unknown, whose = practice): Promise<Answer> =>
  whose.rest(path, { method: 'PATCH', body, headers: back });

async function created(path: string, body: object, whose = practice): Promise<Record<string, unknown>> {
  const { status, json } = await post(path, body, whose);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return (json as Record<string, unknown>[])[0] ?? {};
}

const uuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
) as unknown;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/) as unknown;

describe('service_menu', () => {
  const massage = { name: 'Massage', duration: 50, price: 80 };

  it('returns every column in order, and money with two decimals', async () => {
    const { status, text, json } = await post('service_menu', massage);
    expect(status).toBe(201);
    expect(json).toEqual([
      {
        id: uuid,
        therapist_id: practice.therapistId,
        ...massage,
        capacity: 1,
        ...{ external_id: null, metadata: null },
        created_at: instant,
        updated_at: instant,
      },
    ]);
    expect(Object.keys((json as object[])[0] ?? {})).toEqual(
      'id,therapist_id,name,duration,price,capacity,external_id,metadata,created_at,updated_at'.split(','),
    );
    expect(text).toContain('"price":80.00');
    const [{ id }] = json as [{ id: string }];
    expect((await practice.rest(`service_menu?id=eq.${id}`)).text).toBe(text);
  });

  it.each([
    [{ name: undefined }, '23502'],
    [{ duration: undefined }, '23502'],
    [{ price: undefined }, '23502'],
    [{ capacity: null }, '23502'],
    [{ name: '  ' }, '23514'],
    [{ duration: 0 }, '23514'],
    [{ duration: 1441 }, '23514'],
    [{ price: -0.01 }, '23514'],
    [{ capacity: 0 }, '23514'],
    [{ capacity: 501 }, '23514'],
    [{ name: 'x'.repeat(321) }, '22001'],
    [{ name: 'a\0b' }, '22P05'],
    [{ duration: 'an hour' }, '22P02'],
    [{ price: 1e9 }, '22003'],
    [{ colour: 'red' }, 'PGRST204'],
  ])('refuses %j with %s', async (but, code) => {
    const { status, json } = await post('service_menu', { ...massage, ...but });
    expect({ status, json }).toMatchObject({ status: 400, json: { code } });
  });

  it('can be changed, and can be removed while no appointment refers to it', async () => {
    const { id } = await created('service_menu', massage);
    expect((await patch(`service_menu?id=eq.${String(id)}`, { price: '99.5' })).json).toMatchObject([
      { price: 99.5 },
    ]);
    const booked = { date: '2031-01-02', start_time: '09:00', service_id: id };
    const appointment = await created('appointments', booked);
    expect(appointment).toMatchObject({ end_time: '09:50' });
    const refused = await practice.rest(`service_menu?id=eq.${String(id)}`, { method: 'DELETE' });
    expect(refused).toMatchObject({ status: 409, json: { code: '23503' } });
    await practice.rest(`appointments?id=eq.${String(appointment['id'])}`, { method: 'DELETE' });
    expect((await practice.rest(`service_menu?id=eq.${String(id)}`, { method: 'DELETE' })).status).toBe(204);
    const missing = await post('appointments', booked);
    expect(missing).toMatchObject({
      status: 409,
      json: {
        code: '23503',
        message: `service_id must name a record of service_menu, and ${String(id)} names none`,
        details: `Key (service_id)=(${String(id)}) is not present in table "service_menu".`,
      },
    });
  });
});

describe('business_hours', () => {
  it('have the day in lower case and times without seconds', async () => {
    const row = await created('business_hours', {
      day_of_week: 'Friday',
      open_time: '9:00',
      close_time: '17:00:00',
    });
    expect(row).toEqual({
      id: uuid,
      therapist_id: practice.therapistId,
      day_of_week: 'friday',
      open_time: '09:00',
      close_time: '17:00',
      created_at: instant,
      updated_at: instant,
    });
  });

  it.each([
    [{ day_of_week: undefined }, '23502'],
    [{ open_time: undefined }, '23502'],
    [{ close_time: null }, '23502'],
    [{ day_of_week: 'someday' }, '23514'],
    [{ close_time: '09:00' }, '23514'],
    [{ open_time: '09:00:30' }, '22007'],
    [{ open_time: '24:00' }, '22008'],
  ])('refuse %j with %s', async (but, code) => {
    const body = { day_of_week: 'sunday', open_time: '09:00', close_time: '10:00', ...but };
    expect(await post('business_hours', body)).toMatchObject({ status: 400, json: { code } });
  });

  describe('of one day', () => {
    let other: Practice;
    let morning: string;

    beforeAll(async () => {
      other = await newPractice();
      const spans = [
        { day_of_week: 'monday', open_time: '09:00', close_time: '12:00' },
        { day_of_week: 'monday', open_time: '12:00', close_time: '13:00' },
        { day_of_week: 'tuesday', open_time: '09:00', close_time: '12:00' },
      ];
      const { status, json } = await post('business_hours', spans, other);
      expect(status).toBe(201);
      morning = String((json as { id: string }[])[0]?.id);
    });

    const taken = {
      code: '23505',
      message: 'duplicate key value violates unique constraint "business_hours_day_of_week_open_time_key"',
      details: 'Key (day_of_week, open_time)=(monday, 09:00) already exists.',
      hint: null,
    };
    const again = { day_of_week: 'monday', open_time: '09:00', close_time: '10:00' };

    it('begin at a time only once, and the error names the key', async () => {
      expect(await post('business_hours', again, other)).toMatchObject({ status: 409, json: taken });
      const moved = await patch(`business_hours?open_time=eq.12:00`, { open_time: '09:00' }, other);
      expect(moved).toMatchObject({ status: 409, json: taken });
    });

    it('are refused without their values if the request has several records', async () => {
      const { status, json } = await post(
        'business_hours',
        [{ ...again, day_of_week: 'sunday' }, again],
        other,
      );
      expect({ status, json }).toEqual({
        status: 409,
        json: { ...taken, details: 'Key (day_of_week, open_time) already exists.' },
      });
      expect((await other.rest('business_hours?day_of_week=eq.sunday')).text).toBe('[]');
    });

    it('may touch, but not overlap', async () => {
      const late = { day_of_week: 'monday', open_time: '11:30', close_time: '14:00' };
      expect(await post('business_hours', late, other)).toMatchObject({
        status: 409,
        json: { code: 'PM003' },
      });
      const longer = await patch(`business_hours?id=eq.${morning}`, { close_time: '12:30' }, other);
      expect(longer).toMatchObject({ status: 409, json: { code: 'PM003' } });
    });

    it('may change together through a forbidden intermediate state', async () => {
      const moved = await patch('business_hours?day_of_week=eq.monday', { day_of_week: 'wednesday' }, other);
      expect(moved.status).toBe(200);
      expect(moved.json).toHaveLength(2);
    });

    it('do not conflict with other practices', async () => {
      const third = await newPractice();
      expect((await post('business_hours', again, third)).status).toBe(201);
      expect((await post('business_hours', { ...again, id: randomUUID() }, third)).status).toBe(409);
    });
  });
});
