// Several writes as one request: one transaction in one service; across services, all are taken back if one is refused.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  call,
  eventually,
  make,
  memberOf,
  newPractice,
  rowsOf as rowsIn,
  slot,
  stack,
  type Answer,
  type Practice,
} from '@practice/testing';
import pg from 'pg';

let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

interface Answered {
  readonly atomic: string;
  readonly operations: readonly { as: string | null; status: number; body: unknown }[];
}

const batch = (operations: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  practice.rest('rpc/batch', { method: 'POST', body: { operations }, headers });

/** Locks the practice in scheduling until the end of the transaction. */
async function schedulingLocked({ therapistId } = practice): Promise<pg.Client> {
  const lock = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await lock.connect();
  await lock.query('BEGIN');
  await lock.query('SELECT 1 FROM scheduling.practice_head WHERE therapist_id = $1 FOR UPDATE', [
    therapistId,
  ]);
  return lock;
}

const rowsOf = (path: string): Promise<Record<string, unknown>[]> => rowsIn(practice, path);

const client = (name: string, more: object = {}) => ({
  ...{ method: 'POST', path: 'clients', body: { name }, ...more },
});

/** Changes nothing. It may change many records, so the appointments of its batch get more time. */
const moreTime = { method: 'PATCH', path: 'appointments?date=eq.2099-01-01', body: { price: 1 } };

const visit = (client_id: string, more: object = {}) => ({
  method: 'POST',
  path: 'appointments',
  body: {
    client_id,
    date: '2031-03-03',
    start_time: '09:00',
    end_time: '10:00',
    allow_overlap: true,
    ...more,
  },
});

describe('a batch in one service', () => {
  it('is one change, and later operations use values of earlier ones', async () => {
    const answer = await batch([
      client('Ada Batch', { as: 'ada', prefer: 'return=representation' }),
      {
        as: 'entry',
        path: 'conversation_log',
        prefer: 'return=representation',
        body: { client_id: '$ada.id', content: 'costs $5 or $other.id' },
      },
      { method: 'PATCH', path: 'clients?name=eq.$ada.name', body: { name: 'Ada King' } },
      { as: 'gone', path: 'clients', body: { name: 'Bea' } },
      { method: 'DELETE', path: 'clients?id=eq.$gone.id', prefer: 'return=representation' },
    ]);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    const { atomic, operations } = answer.json as Answered;
    expect(atomic).toBe('service');
    expect(operations.map(({ as, status }) => [as, status])).toEqual([
      ['ada', 201],
      ['entry', 201],
      [null, 204],
      ['gone', 201],
      [null, 200],
    ]);
    const [ada] = operations[0]?.body as [{ id: string }];
    expect(operations[1]?.body).toMatchObject([{ client_id: ada.id, content: 'costs $5 or $other.id' }]);
    expect(operations[4]?.body).toMatchObject([{ name: 'Bea' }]);
    expect(await rowsOf(`clients?id=eq.${ada.id}&select=name`)).toEqual([{ name: 'Ada King' }]);
    const changeId = answer.headers.get('change-id') ?? '';
    expect(changeId).toMatch(/^clients:\d+$/);
    const history = await rowsOf(`clients_history?id=eq.${ada.id}&select=change_id`);
    expect(history).toEqual([{ change_id: changeId }, { change_id: changeId }]);
    const undone = await practice.rest('rpc/undo', { method: 'POST', body: { change_id: changeId } });
    expect(undone.status).toBe(200);
    expect(await rowsOf(`clients?id=eq.${ada.id}`)).toEqual([]);
  });

  it('cannot delete a record that others refer to, not even after it was deleted and created again', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const [remove, again] = [
      { method: 'DELETE', path: `clients?id=eq.${id}` },
      client('Bea', { body: { id, name: 'Bea' } }),
    ];
    const { id: seen } = await make(practice, 'appointments', visit(id).body);
    expect(await batch([remove, again, remove])).toMatchObject({ status: 409, json: { code: '23503' } });
    expect(await rowsOf(`appointments?id=eq.${seen}&select=clients(name)`)).toEqual([
      { clients: { name: 'Ada' } },
    ]);
    expect((await batch([remove, again])).status).toBe(200);
    expect(await rowsOf(`appointments?id=eq.${seen}&select=clients(name)`)).toEqual([
      { clients: { name: 'Bea' } },
    ]);
    await practice.rest(`appointments?id=eq.${seen}`, { method: 'DELETE' });
    expect((await batch([remove, again, remove])).status).toBe(200);
    expect(await rowsOf(`clients?id=eq.${id}`)).toEqual([]);
  });

  it('is refused with the name of an operation that does not exist', async () => {
    for (const operation of [visit('$missing.id'), { method: 'DELETE', path: 'clients?id=eq.$missing.id' }]) {
      const answer = await batch([operation]);
      expect([answer.status, answer.json]).toMatchObject([
        400,
        { code: 'PM400', details: expect.stringContaining('No earlier operation has the name missing.') },
      ]);
    }
  });

  it('takes paths as URLSearchParams writes them', async () => {
    const query = new URLSearchParams({ id: 'in.($ada.id)', name: 'eq.$ada.name' });
    const answer = await batch([
      client('A, "b" & 1+1', { as: 'ada' }),
      { method: 'PATCH', path: `clients?${query}`, body: { phone: '1' }, prefer: 'return=representation' },
    ]);
    expect(answer.json).toMatchObject({ operations: [{}, { body: [{ name: 'A, "b" & 1+1', phone: '1' }] }] });
  });

  it('can have a hundred operations, each with a value of the operation before', async () => {
    const name = randomUUID();
    const operations = Array.from({ length: 100 }, (_, index) =>
      client(index === 0 ? name : `$step${index - 1}.name`, { as: `step${index}` }),
    );
    const answer = await batch(operations);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    expect(await rowsOf(`clients?name=eq.${name}&select=count()`)).toEqual([{ count: 100 }]);
  });

  it.each([
    ['id=eq.x', 'id must be a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057, not "x"'],
    [
      'total_visits=eq.$a.name',
      'total_visits must be a whole number from -2147483648 to 2147483647, not "Ada"',
    ],
  ])('names the operation and the filter whose value cannot be read: %s', async (filter, words) => {
    for (const _ of [1, 2]) {
      const answer = await batch([
        client('Ada', { as: 'a' }),
        { method: 'DELETE', path: `clients?${filter}` },
      ]);
      expect([answer.status, answer.json]).toMatchObject([
        400,
        {
          ...{ code: '22P02', message: `the value of the filter ${words}` },
          details: expect.stringMatching(/^Operation 2, DELETE clients: invalid input syntax/),
        },
      ]);
    }
  });

  it('keeps nothing if one operation is refused, and the refusal names that operation', async () => {
    const name = randomUUID();
    const answer = await batch([
      client(name, { as: 'one' }),
      { as: 'bad', path: 'conversation_log', body: { client_id: randomUUID(), content: 'x' } },
    ]);
    expect([answer.status, answer.json]).toEqual([409, expect.objectContaining({ code: '23503' })]);
    expect(String((answer.json as { details: string }).details)).toContain(
      'Operation 2 (bad), POST conversation_log',
    );
    expect(await rowsOf(`clients?name=eq.${name}`)).toEqual([]);
  });

  it('with tx=rollback shows all and keeps nothing', async () => {
    const name = randomUUID();
    const operations = [
      client(name, { as: 'one', prefer: 'return=representation' }),
      { path: 'conversation_log', body: { client_id: '$one.id', content: 'x' } },
    ];
    const answer = await batch(operations, { prefer: 'tx=rollback' });
    expect([answer.status, answer.headers.get('change-id')]).toEqual([200, null]);
    expect((answer.json as Answered).operations[0]?.body).toMatchObject([{ name }]);
    expect(await rowsOf(`clients?name=eq.${name}`)).toEqual([]);
  });

  it('with a key is carried out once', async () => {
    const [name, key] = [randomUUID(), randomUUID()];
    const send = () => batch([client(name), client(name)], { 'idempotency-key': key });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await rowsOf(`clients?name=eq.${name}`)).toHaveLength(2);
  });

  it.each([
    [[], 400, 'PM400'],
    [Array.from({ length: 101 }, () => client('x')), 413, 'PM413'],
    [[client('x', { method: 'GET' })], 400, 'PM400'],
    [[client('x', { path: 'rpc/undo' })], 400, 'PM400'],
    [[client('x', { path: 'nothing' })], 404, 'PGRST205'],
    [[client('x', { as: 'a' }), client('y', { as: 'a' })], 400, 'PM400'],
    [[client('x', { prefer: 'tx=rollback' })], 400, 'PM400'],
    [[client('$b.name'), client('y', { as: 'b' })], 400, 'PM400'],
    [[client('x', { as: 'a' }), client('$a.nothing')], 400, 'PM400'],
    [
      [{ path: 'clients?select=id', body: [{ name: 'a' }, { name: 'b' }], as: 'a' }, client('$a.id')],
      400,
      'PM400',
    ],
    [[client('x', { path: 'webhooks' })], 400, '0A000'],
  ])('%#: is refused if malformed', async (operations, status, code) => {
    const answer = await batch(operations);
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([status, code]);
  });
});

describe('a batch across services', () => {
  it('is carried out in order', async () => {
    const answer = await batch([
      client(randomUUID(), { as: 'c' }),
      { ...visit('$c.id'), as: 'v', prefer: 'return=representation' },
    ]);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    const { atomic, operations } = answer.json as Answered;
    expect([atomic, operations.map(({ status }) => status)]).toEqual(['compensated', [201, 201]]);
    expect(answer.headers.get('change-id')).toMatch(/^clients:\d+, scheduling:\d+$/);
  });

  it('is taken back if the last operation is refused', async () => {
    const name = randomUUID();
    const operations = [
      client(name, { as: 'c' }),
      visit('$c.id', { notes: name }),
      { path: 'expenses', body: { date: '2031-01-01', vendor: name } },
    ];
    const answer = await batch(operations);
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, '23502']);
    expect((answer.json as { details: string }).details).toContain('Operation 3, POST expenses');
    expect(answer.headers.get('change-id')).toBeNull();
    expect(await rowsOf(`clients?name=eq.${name}`)).toEqual([]);
    expect(await rowsOf(`appointments?notes=eq.${name}`)).toEqual([]);
    const events = await rowsOf(`appointments_history?select=event,undoes&order=at.desc&limit=1`);
    expect(events).toMatchObject([{ undoes: expect.stringMatching(/^scheduling:/) }]);
  });

  it('with tx=rollback shows all and leaves no event in any service', async () => {
    const name = randomUUID();
    const before = await Promise.all(['clients_history', 'appointments_history'].map(rowsOf));
    const operations = [client(name, { as: 'c' }), { ...visit('$c.id'), prefer: 'return=representation' }];
    const answer = await batch(operations, { prefer: 'tx=rollback' });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('2031-03-03')]);
    expect(await Promise.all(['clients_history', 'appointments_history'].map(rowsOf))).toEqual(before);
  });

  it('with tx=rollback needs the operations of a service next to each other', async () => {
    const operations = [client('Ada', { as: 'c' }), visit('$c.id'), client('Bea')];
    const refused = await batch(operations, { prefer: 'tx=rollback' });
    expect(refused).toMatchObject({ status: 400, json: { code: 'PM400' } });
  });

  it.each([
    [{ 'if-match': '"1"' }, 'PM006'],
    [{ prefer: 'handling=strict, max-affected=1' }, 'PM400'],
    [{ prefer: 'handling=strict, nothing' }, 'PGRST122'],
  ])('is refused with %j', async (headers, code) => {
    expect(await batch([client('Ada')], headers)).toMatchObject({ status: 400, json: { code } });
  });

  it('with a key is carried out once, and again after a refusal', async () => {
    const [name, key] = [randomUUID(), randomUUID()];
    const send = (end: string) =>
      batch([client(name, { as: 'c' }), visit('$c.id', { end_time: end })], { 'idempotency-key': key });
    const [first, second] = [await send('10:00'), await send('10:00')];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
    expect((await send('11:00')).status).toBe(409);
    expect(await rowsOf(`clients?name=eq.${name}`)).toHaveLength(1);
    // The second part has a key that no caller can send.
    const { path, body } = visit('', { client_id: null });
    const headers = { 'idempotency-key': `${key} (part 2)` };
    expect((await practice.rest(path, { method: 'POST', body, headers })).status).toBe(201);
  });

  it('is taken back even if a client was erased between its operations, and with that the stored responses', async () => {
    const name = randomUUID();
    const { id: client_id } = await make(practice, 'clients', { name: 'Eve' });
    const lock = await schedulingLocked();
    const sent = batch([client(name, { as: 'c' }), visit('$c.id', { end_time: '08:00' }), moreTime]);
    await eventually('the client is stored', async () => (await rowsOf(`clients?name=eq.${name}`))[0]);
    const erased = await practice.rest('rpc/erase_client', { method: 'POST', body: { client_id } });
    await lock.query('COMMIT');
    await lock.end();
    const answer = await sent;
    expect([erased.status, answer.status, answer.headers.get('change-id')]).toEqual([202, 400, null]);
    expect(await rowsOf(`clients?name=eq.${name}`)).toEqual([]);
  });

  it('names the change that stays, because another request has changed its record', async () => {
    const name = randomUUID();
    // The second operation waits, so the rival request runs between the two operations.
    const lock = await schedulingLocked();
    const sent = batch([
      client(name),
      visit('', { client_id: null, notes: name }),
      moreTime,
      { path: 'expenses', body: { date: '2031-01-01', vendor: name } },
    ]);
    await eventually('the rival changes the client', async () => {
      const changed = await practice.rest(`clients?name=eq.${name}`, {
        method: 'PATCH',
        body: { name: `${name} Rival` },
        headers: { prefer: 'return=representation' },
      });
      return (changed.json as unknown[]).length === 1;
    });
    await lock.query('COMMIT');
    await lock.end();
    const answer = await sent;
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, '23502']);
    const { details } = answer.json as { details: string };
    const changeId = answer.headers.get('change-id');
    expect(changeId).toMatch(/^clients:\d+$/);
    expect(details).toContain(`Not taken back: operation 1 in clients (change ${changeId})`);
    expect(await rowsOf(`clients?name=eq.${name}%20Rival`)).toHaveLength(1);
    expect(await rowsOf(`appointments?notes=eq.${name}`)).toEqual([]);
  });
});

describe('a batch of a practice that is closed between its operations', () => {
  it('is taken back', async () => {
    const own = await newPractice();
    await make(own, 'appointments', slot(0));
    const send = (path: string, body: object) => own.rest(path, { method: 'POST', body });
    const stored = async () => (await own.rest('clients?name=eq.Cleo')).json as unknown[];
    const expense = { date: '2031-01-01', amount: 1, category: 'rent' };
    const lock = await schedulingLocked(own);
    const operations = [client('Cleo'), visit('', { client_id: null }), { path: 'expenses', body: expense }];
    const sent = send('rpc/batch', { operations });
    await eventually('the client is stored', async () => (await stored()).length === 1);
    const [named] = (await own.rest('practices?select=name')).json as [{ name: string }];
    expect((await send('rpc/close_practice', named)).status).toBe(200);
    for (const [path, body] of [
      ['expenses', expense],
      ['clients', { name: 'Late' }],
    ] as const)
      await eventually(`${path} are closed`, async () => (await send(path, body)).status === 409);
    await lock.query('COMMIT');
    await lock.end();
    const answer = await sent;
    expect(answer).toMatchObject({ status: 409, json: { code: 'PM017' } });
    expect(answer.headers.get('change-id')).toBeNull();
    expect(await stored()).toEqual([]);
    expect((await own.rest('appointments?date=eq.2031-03-03')).json).toEqual([]);
  });
});

describe('the right to a batch', () => {
  it('is enough to take it back', async () => {
    const { member } = await memberOf(practice, 'front_desk');
    const name = randomUUID();
    const operations = [client(name, { as: 'c' }), visit('$c.id', { end_time: '08:00' })];
    const answer = await member.rest('rpc/batch', { method: 'POST', body: { operations } });
    expect([answer.status, answer.headers.get('change-id')]).toEqual([400, null]);
    expect((answer.json as { details: string }).details).not.toContain('Not taken back');
    expect(await rowsOf(`clients?name=eq.${name}`)).toEqual([]);
  });

  it('needs its own scope and the scopes of its operations', async () => {
    const name = randomUUID();
    const statusWith = async (scopes: readonly string[]): Promise<number> => {
      const made = await call('/auth/v1/tokens', {
        method: 'POST',
        body: { name: 'script', scopes },
        headers: { authorization: `Bearer ${practice.token}` },
      });
      const { token } = made.json as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      return (await batch([client(name), { ...visit(randomUUID()) }], headers)).status;
    };
    expect(await statusWith(['clients:write', 'appointments:write'])).toBe(403);
    expect(await statusWith(['rpc:batch', 'clients:write'])).toBe(403);
    // The client of the appointment does not exist.
    expect(await statusWith(['rpc:batch', 'clients:write', 'appointments:write'])).toBe(409);
    expect(await rowsOf(`clients?name=eq.${name}`)).toEqual([]);
  });
});
