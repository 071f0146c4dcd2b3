import { beforeAll, expect, it } from '@jest/globals';
import { appointments } from '@practice/contracts';
import { entries } from '@practice/resource';
import { call, newPractice, type Answer, type Call, type Practice } from '@practice/testing';

/** All answers, including their headers. */
const answered: string[] = [];
let practice: Practice;

const rest = async (path: string, given: Call = {}): Promise<Answer> => {
  const answer = await practice.rest(path, {
    ...given,
    headers: { prefer: 'return=representation', ...given.headers },
  });
  answered.push(`${answer.text} ${JSON.stringify([...answer.headers])}`);
  return answer;
};

const change = (id: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  rest(`appointments?id=eq.${id}`, { method: 'PATCH', body, headers });

const changeIdOf = ({ headers }: Answer): string => headers.get('change-id') ?? '';

beforeAll(async () => {
  practice = await newPractice();
});

it('no answer contains the name of a column that callers cannot see', async () => {
  const hidden = entries(appointments.columns).flatMap(([name, { internal }]) =>
    internal === true ? [name] : [],
  );
  expect(hidden).not.toEqual([]);
  const [{ id: service_id }] = (
    await rest('service_menu', {
      method: 'POST',
      body: { name: 'Group', duration: 60, price: 10, capacity: 2 },
    })
  ).json as [{ id: string }];
  const slot = { date: '2031-01-06', start_time: '09:00', service_id };
  const booked = await rest('appointments', { method: 'POST', body: [slot, slot] });
  const [first, second] = booked.json as [Record<string, string>, Record<string, string>];
  const id = String(second['id']);

  // A new day and a new zone change the seat, the instants and the zone.
  const moved = await change(id, { date: '2031-01-07' });
  await practice.rest('practice_settings?id=not.is.null', {
    method: 'PATCH',
    body: { time_zone: 'Asia/Tokyo' },
  });
  const zoned = await change(id, { date: '2031-01-08', start_time: '10:00', end_time: '11:00' });
  expect([booked.status, moved.status, zoned.status]).toEqual([201, 200, 200]);

  expect(await change(id, { notes: 'x' }, { 'if-match': '"1"' })).toMatchObject({
    status: 412,
    json: {
      code: 'PM006',
      details: expect.stringMatching(
        /^AppointmentRescheduled at \S+: date, ends_at, starts_at\. AppointmentRescheduled at \S+: date, end_time, ends_at, start_time, starts_at\.$/,
      ),
    },
  });
  expect(await change(id, { ...second, notes: 'x' })).toMatchObject({ status: 412, json: { code: 'PM006' } });
  const undone = await rest('rpc/undo', { method: 'POST', body: { change_id: changeIdOf(moved) } });
  expect(undone).toMatchObject({ status: 409, json: { code: 'PM007' } });
  expect((await rest('rpc/undo', { method: 'POST', body: { change_id: changeIdOf(zoned) } })).status).toBe(
    200,
  );
  expect(await rest('appointments', { method: 'POST', body: [{ ...slot, id: first['id'] }] })).toMatchObject({
    status: 409,
  });
  for (const name of hidden) {
    const near = `${name}x`;
    await rest(`appointments?${near}=eq.1`);
    await rest(`appointments?select=${near}`);
    await change(id, { [near]: 1 });
  }
  for (const path of ['appointments', 'appointments_history', 'appointments?as_of=2020-01-01'])
    await rest(path);
  await rest('appointments', { headers: { accept: 'text/csv' } });
  const feed = await call('/events/v1/?after=0', { headers: { authorization: `Bearer ${practice.token}` } });
  answered.push(feed.text);
  const names = new RegExp(`\\b(?:${hidden.join('|')})\\b`);
  expect(answered.filter((text) => names.test(text))).toEqual([]);
});
