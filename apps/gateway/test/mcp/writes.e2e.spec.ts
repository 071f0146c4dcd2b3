// The writes of assistants: they are proposed, confirmed, committed once, and undone.

import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  eventually,
  make,
  newPractice,
  type Practice,
  rowsOf,
  stack,
  write,
} from '@practice/testing';
import { type Assistant, assistantWith, eras, personalToken, type ToolAnswer } from './assistants.js';
import { confirmed } from './pages.js';

const DAY = '2031-03-03';

const holder = adminDatabase();
let practice: Practice;
let clientId: string;
let token: string;

const add = async (resource: string, body: object): Promise<string> =>
  (await make(practice, resource, body)).id;

const rows = (path: string): Promise<Record<string, unknown>[]> => rowsOf(practice, path);

const visit = (start: string, end: string, date = DAY): Promise<string> =>
  add('appointments', { date, start_time: start, end_time: end, client_id: clientId });

/** The proposal in an answer. */
function proposalOf({ data }: ToolAnswer): Proposed {
  expect(data).toHaveProperty('proposal');
  return data['proposal'] as unknown as Proposed;
}

interface Proposed {
  readonly proposal_id: string;
  readonly needs_page: boolean;
  readonly changes: readonly object[];
}

beforeAll(async () => {
  practice = await newPractice();
  clientId = await add('clients', { name: 'Ada Lovelace' });
  for (const day of ['monday', 'tuesday'])
    await add('business_hours', { day_of_week: day, open_time: '08:00', close_time: '20:00' });
  const settings = `practice_settings?id=eq.${practice.therapistId}`;
  await write(practice, settings, { method: 'PATCH', body: { booking_horizon: 3660 } });
  token = await personalToken(practice);
});

describe.each(eras)('an assistant of %s without forms', (era) => {
  let assistant: Assistant;
  const commit = (answer: ToolAnswer): Promise<ToolAnswer> =>
    assistant.call('commit', { proposal_id: proposalOf(answer).proposal_id });
  beforeAll(async () => {
    assistant = await assistantWith(token, { era });
  });

  it('books in two calls, and nothing is booked before the second', async () => {
    const args = { date: DAY, start_time: era === eras[0] ? '08:00' : '09:00', end_time: '09:30' };
    const given = era === eras[0] ? { ...args, end_time: '08:50' } : args;
    const proposed = await assistant.call('book', { ...given, client_id: clientId });
    const [change] = proposalOf(proposed).changes as { id: string }[];
    expect(change).toMatchObject({
      ...{ resource: 'appointments', before: null },
      after: { date: DAY, start_time: given.start_time, quoted: { client_name: 'Ada Lovelace' } },
    });
    expect(await rows(`appointments?id=eq.${change?.id ?? ''}`)).toEqual([]);
    const done = await commit(proposed);
    expect(done).toMatchObject({
      isError: false,
      data: { change_id: expect.stringMatching(/^scheduling:/) },
    });
    expect(await rows(`appointments?id=eq.${change?.id ?? ''}`)).toMatchObject([
      { start_time: given.start_time },
    ]);
  });

  it('moves an appointment, and undoes it to the byte', async () => {
    const id = await visit('10:00', '10:50', era === eras[0] ? '2031-03-10' : '2031-03-17');
    const [before] = await rows(`appointments?id=eq.${id}`);
    const proposed = await assistant.call('change', { id, start_time: '11:00' });
    expect(proposalOf(proposed).changes).toMatchObject([
      {
        before: { start_time: '10:00', end_time: '10:50' },
        after: { start_time: '11:00', end_time: '11:50' },
      },
    ]);
    const { data } = await commit(proposed);
    expect(await rows(`appointments?id=eq.${id}`)).toMatchObject([
      { start_time: '11:00', end_time: '11:50' },
    ]);
    await commit(await assistant.call('undo', { change_id: data['change_id'] }));
    const [after] = await rows(`appointments?id=eq.${id}`);
    expect({ ...after, updated_at: null }).toEqual({ ...before, updated_at: null });
  });

  it('cancels with a reason', async () => {
    const id = await visit('10:00', '10:50', era === eras[0] ? '2031-04-01' : '2031-04-02');
    await commit(await assistant.call('cancel', { id, reason: 'The client is ill' }));
    expect(await rows(`appointments?id=eq.${id}`)).toMatchObject([{ status: 'cancelled' }]);
    expect(await rows(`appointments_history?id=eq.${id}&order=version.desc&limit=1`)).toMatchObject([
      { reason: 'The client is ill', actor: 'token' },
    ]);
  });

  it('drafts a note and logs a conversation', async () => {
    await commit(await assistant.call('draft_note', { client_id: clientId, plan: era }));
    expect(await rows(`sessions?plan=eq.${era}`)).toMatchObject([{ signed_at: null }]);
    const values = { client_id: clientId, content: `called ${era}` };
    await commit(await assistant.call('record', { resource: 'conversation_log', values }));
    expect(await rows(`conversation_log?content=eq.called ${era}`)).toHaveLength(1);
  });

  it('gets the next free times for a time that is taken', async () => {
    await visit('15:00', '15:50', era === eras[0] ? '2031-05-05' : '2031-05-06');
    const date = era === eras[0] ? '2031-05-05' : '2031-05-06';
    const taken = await assistant.call('book', { date, start_time: '15:00', end_time: '15:50' });
    expect(taken).toMatchObject({ isError: true, data: { problem: { code: 'PM002' }, free: { length: 5 } } });
  });

  it('gets the next free times in which the appointment fits that it moves', async () => {
    const date = era === eras[0] ? '2031-06-02' : '2031-06-09';
    const id = await visit('08:00', '09:30', date);
    await visit('15:00', '15:50', date);
    const taken = await assistant.call('change', { id, start_time: '15:00' });
    expect(taken).toMatchObject({ isError: true, data: { problem: { code: 'PM002' } } });
    const [free] = taken.data['free'] as unknown as object[];
    expect(free).toMatchObject({ date, start_time: '09:30', end_time: '11:00' });
  });

  it('carries a proposal out once', async () => {
    const values = { client_id: clientId, content: `once ${era}` };
    const proposed = await assistant.call('record', { resource: 'conversation_log', values });
    const both = await Promise.all([commit(proposed), commit(proposed)]);
    const third = await commit(proposed);
    const ids = [...both, third].filter(({ isError }) => !isError).map(({ data }) => data['change_id']);
    expect(new Set(ids).size).toBe(1);
    expect(await rows(`conversation_log?content=eq.once ${era}`)).toHaveLength(1);
  });

  it('gets a new proposal if the record has changed', async () => {
    const id = await visit('17:00', '17:50', era === eras[0] ? '2031-03-11' : '2031-03-18');
    const proposed = await assistant.call('change', { id, start_time: '18:00' });
    await write(practice, `appointments?id=eq.${id}`, { method: 'PATCH', body: { status: 'confirmed' } });
    const stale = await commit(proposed);
    expect(stale).toMatchObject({ isError: true, data: { problem: { status: 412, code: 'PM006' } } });
    expect(await rows(`appointments?id=eq.${id}`)).toMatchObject([{ start_time: '17:00' }]);
    await commit(stale);
    expect(await rows(`appointments?id=eq.${id}`)).toMatchObject([
      { start_time: '18:00', status: 'confirmed' },
    ]);
  });

  it('books a series, moves the rest of it and cancels it', async () => {
    const date = era === eras[0] ? '2032-03-01' : '2032-06-07';
    const rule = { rrule: 'FREQ=WEEKLY;COUNT=4', date, start_time: '09:00', end_time: '09:50' };
    const proposed = await assistant.call('book', { ...rule, client_id: clientId });
    expect(proposalOf(proposed)).toMatchObject({
      needs_page: false,
      changes: [{ resource: 'appointment_series' }],
    });
    const booked = await commit(proposed);
    const [{ id }] = booked.data['records'] as unknown as [{ id: string }];
    const visits = `appointments?series_id=eq.${id}&select=start_time,status&order=date`;
    expect(await rows(visits)).toHaveLength(4);
    await commit(await assistant.call('change', { id, from_date: date, start_time: '10:00' }));
    expect((await rows(visits)).map((one) => one['start_time'])).toEqual(Array(4).fill('10:00'));
    await commit(await assistant.call('cancel', { id }));
    expect((await rows(visits)).map((one) => one['status'])).toEqual(Array(4).fill('cancelled'));
  });
});

describe('a write that needs a person', () => {
  let assistant: Assistant;
  beforeAll(async () => {
    assistant = await assistantWith(token);
  });
  const expense = (): Promise<ToolAnswer> =>
    assistant.call('record', { resource: 'expenses', values: { date: DAY, amount: '12.50' } });

  it('waits for its person on the page of the API', async () => {
    const proposed = await expense();
    const { proposal_id: id, needs_page: needsPage } = proposalOf(proposed);
    expect(needsPage).toBe(true);
    const early = await assistant.call('commit', { proposal_id: id });
    expect(early).toMatchObject({ isError: true, data: { state: 'unconfirmed' } });
    expect(await rows('expenses')).toEqual([]);
    const html = await confirmed(practice, id, 'confirm');
    expect(html).toContain('12.5');
    expect(await assistant.call('commit', { proposal_id: id })).toMatchObject({ isError: false });
    expect(await rows('expenses')).toHaveLength(1);
  });

  it('is never carried out if its person declines', async () => {
    const { proposal_id: id } = proposalOf(await expense());
    await confirmed(practice, id, 'decline');
    const late = await assistant.call('commit', { proposal_id: id });
    expect(late).toMatchObject({ isError: true, data: { state: 'declined' } });
    expect(await confirmed(practice, id, 'confirm')).toContain('has ended');
  });

  it('cannot be confirmed by another person', async () => {
    const { proposal_id: id } = proposalOf(await expense());
    expect(await confirmed(await newPractice(), id, 'confirm')).toContain('belongs to another person');
    expect(await assistant.call('commit', { proposal_id: id })).toMatchObject({
      data: { state: 'unconfirmed' },
    });
  });

  it('is a write of more records than the practice permits', async () => {
    const rule = { rrule: 'FREQ=WEEKLY;COUNT=5', date: '2033-01-03', start_time: '09:00', end_time: '09:50' };
    expect(proposalOf(await assistant.call('book', rule))).toMatchObject({ needs_page: true });
    const settings = `practice_settings?id=eq.${practice.therapistId}`;
    await write(practice, settings, { method: 'PATCH', body: { assistant_limit: 6 } });
    expect(proposalOf(await assistant.call('book', rule))).toMatchObject({ needs_page: false });
  });
});

describe('a proposal', () => {
  it('to change the service of a series needs the page, because its appointments get another price', async () => {
    const [cheap, dear] = [
      await add('service_menu', { name: 'Short', duration: 50, price: 60 }),
      await add('service_menu', { name: 'Long', duration: 50, price: 120 }),
    ];
    const date = '2032-09-06';
    const rule = { rrule: 'FREQ=WEEKLY;COUNT=2', date, start_time: '09:00', service_id: cheap };
    const id = await add('appointment_series', rule);
    const { call } = await assistantWith(token);
    const moved = await call('change', { id, from_date: date, start_time: '10:00' });
    expect(proposalOf(moved)).toMatchObject({ needs_page: false });
    const dearer = await call('change', { id, from_date: date, service_id: dear });
    expect(proposalOf(dearer)).toMatchObject({ needs_page: true });
  });

  it('to cancel a series names only the appointments that have not begun', async () => {
    const date = new Date().toISOString().slice(0, 10);
    const rule = { rrule: 'FREQ=DAILY;COUNT=3', date, start_time: '00:00', end_time: '00:01' };
    const id = await add('appointment_series', { ...rule, client_id: clientId });
    const { call } = await assistantWith(token);
    const { changes } = proposalOf(await call('cancel', { id }));
    expect(changes).toHaveLength(1 + 2);
  });

  it('for a series that has changed since is not carried out after a first attempt beyond the limit of writes', async () => {
    const date = '2032-10-04';
    const rule = { rrule: 'FREQ=WEEKLY;COUNT=2', date, start_time: '09:00', end_time: '09:50' };
    const id = await add('appointment_series', rule);
    const [other, limited] = await Promise.all([
      assistantWith(token),
      stack().spawnProcess('gateway', { LIMIT_WRITES_PER_MINUTE: '1' }),
    ]);
    const { call } = await assistantWith(token, { origin: limited.origin });
    const proposed = proposalOf(await call('change', { id, from_date: date, start_time: '10:00' }));
    const first = await call('commit', { proposal_id: proposed.proposal_id });
    expect(first).toMatchObject({ isError: true, data: { problem: { code: 'PM004' } } });
    await limited.stop();
    const visits = `appointments?series_id=eq.${id}`;
    await write(practice, visits, { method: 'PATCH', body: { status: 'confirmed' } });
    const stale = await other.call('commit', { proposal_id: proposed.proposal_id });
    expect(stale).toMatchObject({ isError: true, data: { problem: { status: 412, code: 'PM006' } } });
    expect(await rows(`${visits}&start_time=eq.09:00`)).toHaveLength(2);
    const done = await other.call('commit', { proposal_id: proposalOf(stale).proposal_id });
    expect(done).toMatchObject({ isError: false });
    // A repetition gets the first response again, although the series now has another version.
    const again = await other.call('commit', { proposal_id: proposalOf(stale).proposal_id });
    expect(again.data).toEqual(done.data);
  });

  it('for a series that has changed since is not carried out after a first attempt that was 503', async () => {
    const date = '2032-11-01';
    const rule = { rrule: 'FREQ=WEEKLY;COUNT=2', date, start_time: '09:00', end_time: '09:50' };
    const id = await add('appointment_series', rule);
    const { call } = await assistantWith(token);
    const proposed = proposalOf(await call('change', { id, from_date: date, start_time: '10:00' }));
    const commit = () => call('commit', { proposal_id: proposed.proposal_id });
    const lock = 'SELECT FROM scheduling.practice_head WHERE therapist_id = $1 FOR UPDATE';
    await holder.query('BEGIN');
    await holder.query(lock, [practice.therapistId]);
    const waiting =
      'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
    try {
      expect(await commit()).toMatchObject({ isError: true, data: { problem: { code: 'PM503' } } });
      await eventually('the write has given up', async () => (await holder.query(waiting)).rowCount === 0);
    } finally {
      await holder.query('ROLLBACK');
    }
    const visits = `appointments?series_id=eq.${id}`;
    await write(practice, visits, { method: 'PATCH', body: { status: 'confirmed' } });
    expect(await commit()).toMatchObject({ isError: true, data: { problem: { code: 'PM006' } } });
    expect(await rows(`${visits}&start_time=eq.09:00&status=eq.confirmed`)).toHaveLength(2);
  });

  it('belongs to one token only', async () => {
    const [one, other] = await Promise.all([
      assistantWith(token),
      assistantWith(await personalToken(practice)),
    ]);
    const values = { client_id: clientId, content: 'mine' };
    const proposed = await one.call('record', { resource: 'conversation_log', values });
    const stolen = await other.call('commit', { proposal_id: proposalOf(proposed).proposal_id });
    expect(stolen).toMatchObject({ isError: true, data: { problem: { code: 'PM404' } } });
  });

  it.each([
    ['accept', { confirm: true }, false],
    ['accept', { confirm: false }, true],
    ['decline', undefined, true],
  ] as const)('is answered by a form: %s %j', async (action, content, isError) => {
    const { client, call } = await assistantWith(token, { capabilities: { elicitation: { form: {} } } });
    const messages: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      messages.push(params.message);
      return { action, ...(content && { content }) };
    });
    const values = { client_id: clientId, content: `form ${action}` };
    const answer = await call('record', { resource: 'conversation_log', values });
    expect(answer.isError).toBe(isError);
    if (isError) expect(answer.data).toMatchObject({ state: 'declined' });
    else expect(answer.data).toHaveProperty('change_id');
    expect(messages).toEqual([expect.stringContaining('content')]);
    expect(messages[0]).not.toContain('form');
  });

  it('to undo a creation that the person made without the assistant needs the page', async () => {
    const created = await practice.rest('clients', { method: 'POST', body: { name: 'Bob' } });
    const { call } = await assistantWith(token);
    const undone = await call('undo', { change_id: created.headers.get('change-id') });
    expect(proposalOf(undone)).toMatchObject({ needs_page: true, changes: [{ after: null }] });
  });
});
