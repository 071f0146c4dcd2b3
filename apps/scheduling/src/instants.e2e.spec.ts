// starts_at and ends_at follow from the wall times of an appointment and the time zone of the practice, in every kind of response.

import { describe, expect, it } from '@jest/globals';
import { newPractice, type Answer, type Practice } from '@practice/testing';

interface Row {
  readonly id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly [column: string]: unknown;
}

const back = { prefer: 'return=representation' };

async function inZone(zone?: string): Promise<Practice> {
  const practice = await newPractice();
  if (zone !== undefined) await setZone(practice, zone);
  return practice;
}

async function setZone(practice: Practice, zone: string): Promise<Answer> {
  const path = `practice_settings?id=eq.${practice.therapistId}`;
  const answer = await practice.rest(path, { method: 'PATCH', body: { time_zone: zone } });
  expect(answer.status).toBe(204);
  return answer;
}

async function book(practice: Practice, body: object): Promise<Row> {
  const { status, json } = await practice.rest('appointments', { method: 'POST', headers: back, body });
  expect(status).toBe(201);
  return (json as [Row])[0];
}

const patch = (practice: Practice, id: string, body: object): Promise<Answer> =>
  practice.rest(`appointments?id=eq.${id}`, { method: 'PATCH', headers: back, body });

const read = async (practice: Practice, query: string): Promise<Row[]> => {
  const { status, json, text } = await practice.rest(`appointments?${query}`);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return json as Row[];
};

/** The types of the events of an appointment. */
async function eventsOf(practice: Practice, id: string): Promise<unknown[]> {
  const { json } = await practice.rest(`appointments_history?id=eq.${id}&select=event&order=version`);
  return (json as { event: string }[]).map(({ event }) => event);
}

const on = (date: string, start: string, end: string): object => ({ date, start_time: start, end_time: end });
const shown = ({ starts_at: start, ends_at: end }: Row): string[] => [start, end];

/** Zone, day, start, end, instants. The first of each zone is skipped by a change of clocks, the second happens twice. */
const cases: readonly (readonly [string, string, string, string, string, string])[] = [
  ['Europe/Berlin', '2030-03-31', '02:30', '03:10', '2030-03-31T01:30:00+00:00', '2030-03-31T02:10:00+00:00'],
  ['Europe/Berlin', '2030-10-27', '02:30', '03:00', '2030-10-27T00:30:00+00:00', '2030-10-27T02:00:00+00:00'],
  [
    'America/New_York',
    '2030-03-10',
    '02:30',
    '03:00',
    '2030-03-10T07:30:00+00:00',
    '2030-03-10T08:00:00+00:00',
  ],
  [
    'America/New_York',
    '2030-11-03',
    '01:30',
    '02:30',
    '2030-11-03T05:30:00+00:00',
    '2030-11-03T07:30:00+00:00',
  ],
  [
    'Australia/Lord_Howe',
    '2030-10-06',
    '02:10',
    '03:00',
    '2030-10-05T15:40:00+00:00',
    '2030-10-05T16:30:00+00:00',
  ],
  [
    'Australia/Lord_Howe',
    '2030-04-07',
    '01:45',
    '02:30',
    '2030-04-06T14:45:00+00:00',
    '2030-04-06T16:00:00+00:00',
  ],
];

describe('starts_at and ends_at', () => {
  it.each(cases)(
    'in %s on %s from %s to %s are the right instants, at the booking and after a change of zone',
    async (...each) => {
      const [zone, date, from, to, ...instants] = each;
      const practice = await inZone(zone);
      const booked = await book(practice, on(date, from, to));
      expect(shown(booked)).toEqual(instants);
      expect(shown((await read(practice, `id=eq.${booked.id}`))[0] as Row)).toEqual(instants);
      // Now Postgres computes the instants. They must be the same.
      await setZone(practice, 'Asia/Tokyo');
      const later = await inZone();
      const other = await book(later, on(date, from, to));
      await setZone(later, zone);
      expect(shown((await read(later, `id=eq.${other.id}`))[0] as Row)).toEqual(instants);
      expect(shown((await read(later, `id=eq.${other.id}&select=starts_at,ends_at`))[0] as Row)).toEqual(
        instants,
      );
    },
  );

  it('move with the appointment and with the zone, and can be filtered and ordered', async () => {
    const practice = await inZone('Europe/Berlin');
    const { id } = await book(practice, on('2030-01-07', '09:00', '10:00'));
    await book(practice, on('2030-01-08', '09:00', '10:00'));
    const moved = await patch(practice, id, { date: '2030-01-09' });
    expect(moved.json).toMatchObject([
      { starts_at: '2030-01-09T08:00:00+00:00', ends_at: '2030-01-09T09:00:00+00:00' },
    ]);
    for (const [zone, hour] of [
      ['Europe/Berlin', '08'],
      ['America/New_York', '14'],
    ] as const) {
      await setZone(practice, zone);
      const from = encodeURIComponent(`2030-01-08T${hour}:00:00Z`);
      expect(
        (await read(practice, `starts_at=gte.${from}&order=starts_at.desc&select=date`)).map(
          ({ date }) => date,
        ),
      ).toEqual(['2030-01-09', '2030-01-08']);
      expect(await read(practice, `starts_at=lt.${from}`)).toEqual([]);
      const csv = await practice.rest('appointments?select=starts_at&order=starts_at', {
        headers: { accept: 'text/csv' },
      });
      expect(csv.text).toContain(`2030-01-08 ${hour}:00:00+00`);
    }
    const noted = await patch(practice, id, { notes: 'later' });
    expect(noted.json).toMatchObject([{ starts_at: '2030-01-09T14:00:00+00:00', notes: 'later' }]);
  });

  it('can be sent back in a row that was read', async () => {
    const practice = await inZone('Europe/Berlin');
    const booked = await book(practice, on('2030-01-07', '09:00', '10:00'));
    await setZone(practice, 'Asia/Tokyo');
    const row = (await read(practice, `id=eq.${booked.id}`))[0] as Row;
    expect(row.starts_at).toBe('2030-01-07T00:00:00+00:00');
    const answer = await patch(practice, row.id, { ...row, notes: 'by phone' });
    expect([answer.status, answer.json]).toMatchObject([
      200,
      [{ notes: 'by phone', starts_at: row.starts_at }],
    ]);
    expect(await eventsOf(practice, row.id)).toEqual(['AppointmentScheduled', 'AppointmentDetailsChanged']);
  });

  it('that are sent back do not make an exception of an occurrence of a series', async () => {
    const practice = await inZone('Europe/Berlin');
    const body = { ...on('2030-01-07', '09:00', '10:00'), rrule: 'FREQ=WEEKLY;COUNT=2' };
    expect((await practice.rest('appointment_series', { method: 'POST', body })).status).toBe(201);
    await setZone(practice, 'Asia/Tokyo');
    const [row] = (await read(practice, 'limit=1')) as [Row];
    const priced = await patch(practice, row.id, { ...row, price: 40 });
    expect([priced.status, priced.json]).toMatchObject([200, [{ price: 40, is_exception: false }]]);
  });

  it('in a change are of the present zone, also when they equal the instants of an earlier zone', async () => {
    const practice = await inZone();
    const span = { starts_at: '2030-01-07T09:00:00+00:00', ends_at: '2030-01-07T10:00:00+00:00' };
    const [booked, put, imported] = await Promise.all([
      book(practice, span),
      book(practice, { ...span, allow_overlap: true }),
      book(practice, { ...span, allow_overlap: true, external_id: 'x' }),
    ]);
    await setZone(practice, 'Europe/Berlin');
    const moved = await patch(practice, booked.id, span);
    expect(moved.json).toMatchObject([{ ...span, start_time: '10:00', end_time: '11:00' }]);
    const replace = async (path: string, method: string, body: object) => {
      const headers = { prefer: 'return=representation,resolution=merge-duplicates' };
      const { json } = await practice.rest(path, { method, headers, body });
      return json;
    };
    const whole = { id: put.id, ...span, allow_overlap: true };
    // A repetition changes nothing.
    for (const _ of ['once', 'again']) {
      expect(await replace(`appointments?id=eq.${put.id}`, 'PUT', whole)).toMatchObject([
        { ...span, start_time: '10:00' },
      ]);
      expect(
        await replace('appointments?on_conflict=external_id', 'POST', { ...span, external_id: 'x' }),
      ).toMatchObject([{ ...span, start_time: '10:00', id: imported.id }]);
    }
    const shorter = { ...whole, starts_at: '2030-01-07T09:30:00+00:00' };
    expect(
      await replace(`appointments?id=eq.${imported.id}`, 'PUT', { ...shorter, id: imported.id }),
    ).toMatchObject([{ start_time: '10:30', end_time: '11:00' }]);
    for (const { id } of [booked, put])
      expect(await eventsOf(practice, id)).toEqual(['AppointmentScheduled', 'AppointmentRescheduled']);
  });

  it('of an earlier zone change nothing in a row that was read before', async () => {
    const practice = await inZone();
    const row = await book(practice, on('2030-01-07', '09:00', '10:00'));
    await setZone(practice, 'Europe/Berlin');
    const noted = await patch(practice, row.id, { ...row, notes: 'by phone' });
    expect(noted.json).toMatchObject([{ notes: 'by phone', start_time: '09:00', end_time: '10:00' }]);
  });

  it('may be given for a new appointment if they agree with its times', async () => {
    const practice = await inZone('Europe/Berlin');
    const times = on('2030-01-07', '09:00', '10:00');
    const add = (given: object) =>
      practice.rest('appointments', { method: 'POST', body: { ...times, ...given } });
    for (const name of ['starts_at', 'ends_at']) {
      const refused = await add({ [name]: '2030-01-07T09:00:01Z' });
      expect([refused.status, refused.json]).toMatchObject([
        400,
        { code: '428C9', message: expect.stringContaining(`column "${name}" can only be 2030-01-07T0`) },
      ]);
    }
    expect(await read(practice, '')).toEqual([]);
    const answer = await add({ starts_at: '2030-01-07T09:00:00+01:00', ends_at: '2030-01-07T09:00:00Z' });
    expect(answer.status).toBe(201);
  });

  it('replace date and times in a booking and in a change', async () => {
    const practice = await inZone('Europe/Berlin');
    const span = { starts_at: '2030-01-07T23:30:00Z', ends_at: '2030-01-08T01:15:00+01:00' };
    const booked = await book(practice, span);
    expect(booked).toMatchObject({ date: '2030-01-08', start_time: '00:30', end_time: '01:15' });
    const moved = await patch(practice, booked.id, {
      starts_at: '2030-01-09T08:00Z',
      ends_at: '2030-01-09T09:00Z',
    });
    expect(moved.json).toMatchObject([{ date: '2030-01-09', start_time: '09:00', end_time: '10:00' }]);
    const longer = await patch(practice, booked.id, { ends_at: '2030-01-09T09:30Z' });
    expect(longer.json).toMatchObject([{ start_time: '09:00', end_time: '10:30' }]);
  });

  it('conflict with an appointment at the same time', async () => {
    const practice = await inZone('Pacific/Auckland');
    await book(practice, on('2030-01-08', '09:00', '10:00'));
    const free = await book(practice, on('2030-01-08', '11:00', '12:00'));
    const taken = { starts_at: '2030-01-07T20:30:00Z', ends_at: '2030-01-07T21:30:00Z' };
    const answers = [
      await practice.rest('appointments', { method: 'POST', body: taken }),
      await patch(practice, free.id, taken),
    ];
    expect(answers.map(({ status, json }) => [status, (json as { code: string }).code])).toEqual([
      [409, 'PM002'],
      [409, 'PM002'],
    ]);
  });

  it('are refused if they do not have wall times in minutes on one day', async () => {
    const practice = await inZone('Europe/Berlin');
    const add = (starts_at: string, ends_at: string) =>
      practice.rest('appointments', { method: 'POST', body: { starts_at, ends_at } });
    const refused = [
      await add('2030-01-07T08:00:30Z', '2030-01-07T09:00:00Z'),
      await add('2030-01-07T22:30:00Z', '2030-01-07T23:30:00Z'),
      // The second 02:30 of the day.
      await add('2030-10-27T01:30:00Z', '2030-10-27T02:30:00Z'),
      await add('infinity', '2030-10-27T02:30:00Z'),
      await practice.rest('appointments', { method: 'POST', body: { end_time: '10:00' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await read(practice, '')).toEqual([]);
    const booked = await book(practice, on('2030-01-07', '09:00', '10:00'));
    const cleared = await patch(practice, booked.id, { date: null });
    expect([cleared.status, cleared.json]).toMatchObject([400, { code: '23502' }]);
    const both = await patch(practice, booked.id, { date: '2030-01-08', starts_at: '2030-01-09T08:00:00Z' });
    expect([both.status, both.json]).toMatchObject([400, { code: '428C9' }]);
  });

  it('are shown unchanged in a past state, and are restored by an undo', async () => {
    const practice = await inZone('Europe/Berlin');
    const { id } = await book(practice, on('2030-01-07', '09:00', '10:00'));
    const before = await read(practice, `id=eq.${id}`);
    const then = new Date().toISOString();
    const moved = await patch(practice, id, { start_time: '11:00', end_time: '12:00' });
    await setZone(practice, 'Asia/Tokyo');
    expect(await read(practice, `id=eq.${id}&as_of=${encodeURIComponent(then)}`)).toEqual(before);
    const undone = await practice.rest('rpc/undo', {
      method: 'POST',
      body: { change_id: moved.headers.get('change-id') },
    });
    expect(undone.status).toBe(200);
    const instants = {
      start_time: '09:00',
      starts_at: '2030-01-07T00:00:00+00:00',
      ends_at: '2030-01-07T01:00:00+00:00',
    };
    expect(await read(practice, `id=eq.${id}`)).toMatchObject([instants]);
  });

  it('are in the history', async () => {
    const practice = await inZone('Europe/Berlin');
    const { id } = await book(practice, on('2030-01-07', '09:00', '10:00'));
    await patch(practice, id, { start_time: '09:30' });
    const { json } = await practice.rest(
      `appointments_history?id=eq.${id}&select=event,before,after&order=version`,
    );
    expect(json).toMatchObject([
      { event: 'AppointmentScheduled', after: { starts_at: '2030-01-07T08:00:00+00:00' } },
      {
        event: 'AppointmentRescheduled',
        before: { starts_at: '2030-01-07T08:00:00+00:00' },
        after: { starts_at: '2030-01-07T08:30:00+00:00' },
      },
    ]);
  });

  it.each(['0001-01-01', '9999-12-31'])(
    'are null on %s, which is not in a valid year in every zone',
    async (date) => {
      const practice = await inZone('Pacific/Auckland');
      const row = await book(practice, on(date, '09:00', '10:00'));
      await setZone(practice, 'America/New_York');
      expect(await read(practice, `id=eq.${row.id}`)).toMatchObject([{ starts_at: null, ends_at: null }]);
    },
  );
});
