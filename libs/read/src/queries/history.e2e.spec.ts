// The history of records has one row for each event. It is read in the dialect, and folding it gives the records.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { catalog } from '@practice/contracts';
import { compileRead, parseRequest, planRead } from '@practice/query';
import { adminDatabase, find, make, newPractice, patch, remove, slot } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import fc from 'fast-check';

interface Entry {
  readonly id: string;
  readonly version: number;
  readonly position: number;
  readonly change_id: string | null;
  readonly event: string;
  readonly at: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

let practice: Practice;
const admin = adminDatabase();

beforeAll(async () => {
  practice = await newPractice();
});

async function read<T = Entry>(path: string, of = practice): Promise<T[]> {
  const answer = await of.rest(path);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as T[];
}

const historyOf = (resource: string, id: string): Promise<Entry[]> => read(`${resource}_history?id=eq.${id}`);

const without = (row: object, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

describe('the history of a record', () => {
  it('has a row for each event, with the actor, the time, the reason and the values before and after', async () => {
    const headers = { 'change-reason': 'the%20price%20was%20wrong', 'x-request-id': 'request-7' };
    const made = await make(practice, 'expenses', { date: '2026-01-02', amount: 12.5, category: 'rent' });
    const path = `expenses?id=eq.${made.id}`;
    const changed = await practice.rest(path, { method: 'PATCH', headers, body: { amount: 20 } });
    await remove(practice, 'expenses', made.id);
    const [first, second, third, ...others] = await historyOf('expenses', made.id);
    const person = { actor: 'user', actor_id: practice.therapistId, actor_name: practice.email };
    const by = { ...person, oauth_client_id: null };
    expect(others).toEqual([]);
    expect(first).toMatchObject({ version: 1, event: 'ExpenseRecorded', before: null, ...by });
    expect(first?.after).toEqual(without(made, 'updated_at'));
    expect(second).toEqual({
      ...{ id: made.id, therapist_id: practice.therapistId, version: 2, event: 'ExpenseCorrected', ...by },
      position: Number(first?.position) + 1,
      change_id: changed.headers.get('change-id'),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
      ...{ reason: 'the price was wrong', request_id: 'request-7', caused_by: null },
      ...{ before: { amount: 12.5 }, after: { amount: 20 } },
      ...{ erased: false, undoes: null },
    });
    expect(third).toMatchObject({ version: 3, event: 'ExpenseDeleted', after: null });
    expect(third?.before).toEqual({ ...without(made, 'updated_at'), amount: 20 });
  });

  it('is filtered, ordered, paged, counted, grouped and read as CSV like any resource', async () => {
    const { id } = await make(practice, 'expenses', { date: '2026-01-02', amount: 1 });
    for (const amount of [2, 3, 4]) await patch(practice, 'expenses', { id, amount });
    const path = `expenses_history?id=eq.${id}`;
    const page = await practice.rest(`${path}&order=version.desc&limit=2&select=version,after->amount`, {
      headers: { prefer: 'count=exact' },
    });
    expect([page.status, page.headers.get('content-range'), page.json]).toEqual([
      206,
      '0-1/4',
      [
        { version: 4, amount: 4 },
        { version: 3, amount: 3 },
      ],
    ]);
    expect(await read(`${path}&select=event,count()&order=event`)).toEqual([
      { event: 'ExpenseCorrected', count: 3 },
      { event: 'ExpenseRecorded', count: 1 },
    ]);
    expect(await read(`${path}&select=version&after->amount=gt.2&or=(version.eq.3,before.is.null)`)).toEqual([
      { version: 3 },
    ]);
    const csv = await practice.rest(`${path}&select=version,event&version=lte.2`, {
      headers: { accept: 'text/csv' },
    });
    expect(csv.text).toBe('version,event\n1,ExpenseRecorded\n2,ExpenseCorrected');
    expect((await practice.rest(path)).headers.get('etag')).toBeNull();
  });

  it('can be embedded in its record, and embed its record, also across services', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const { id } = await make(practice, 'appointments', { ...slot(1), client_id: client.id });
    await patch(practice, 'clients', { ...client, name: 'Ada L.' } as Made);
    const select = 'id,appointments_history(version,appointments(id)),clients(clients_history(event))';
    expect(
      await read(`appointments?id=eq.${id}&select=${select}&clients.clients_history.order=version`),
    ).toEqual([
      {
        id,
        appointments_history: expect.arrayContaining([{ version: 1, appointments: { id } }]),
        clients: { clients_history: [{ event: 'ClientRegistered' }, { event: 'ClientRenamed' }] },
      },
    ]);
  });

  it('stays readable after the record is deleted', async () => {
    const { id } = await make(practice, 'service_menu', { name: 'Short', duration: 20, price: 5 });
    await remove(practice, 'service_menu', id);
    expect(await read(`service_menu_history?id=eq.${id}&select=event,service_menu(name)`)).toEqual([
      { event: 'ServiceAdded', service_menu: null },
      { event: 'ServiceRemoved', service_menu: null },
    ]);
  });

  it('has the texts of session notes, and no internal column', async () => {
    const client = await make(practice, 'clients', { name: 'Bo' });
    const note = await make(practice, 'sessions', { client_id: client.id, plan: 'rest' });
    const [written] = await historyOf('sessions', note.id);
    expect(written?.after).toMatchObject({ plan: 'rest' });
    const booked = await make(practice, 'appointments', slot(2));
    const [first] = await historyOf('appointments', booked.id);
    expect(first?.after).toEqual(without(booked, 'updated_at'));
  });

  it('of another practice is not visible', async () => {
    const other = await newPractice();
    const { id } = await make(practice, 'clients', { name: 'Cleo' });
    expect(await read(`clients_history?id=eq.${id}`, other)).toEqual([]);
    expect((await other.rest(`clients_history?therapist_id=eq.${practice.therapistId}`)).status).toBe(403);
  });

  it.each(['POST', 'PATCH', 'PUT', 'DELETE'])('is read-only: %s is 405', async (method) => {
    const answer = await practice.rest(`clients_history?id=eq.${randomUUID()}`, {
      method,
      ...(method === 'DELETE' ? {} : { body: { id: randomUUID() } }),
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS,GET,HEAD,QUERY']);
    const options = await practice.rest('clients_history', { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('OPTIONS,GET,HEAD,QUERY');
  });

  it('has null for members that earlier events were stored without', async () => {
    const { id } = await make(practice, 'clients', { name: 'Old' });
    await admin.query(
      `UPDATE clients.events SET previous = NULL,
         metadata = jsonb_build_object('eventId', metadata->'eventId', 'actor', therapist_id, 'requestId', 'r', 'correlationId', 'r')
       WHERE stream_id = $1`,
      [id],
    );
    expect(await historyOf('clients', id)).toMatchObject([
      { change_id: null, actor: null, actor_id: null, actor_name: null, reason: null, request_id: 'r' },
    ]);
  });

  it('is one indexed read of the log', async () => {
    const { therapistId } = practice;
    await admin.query('BEGIN');
    // In a small log, every index costs the same.
    await admin.query(
      `INSERT INTO clients.events
         (therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at, hash)
       SELECT $1, 1000000 + n, 'client', gen_random_uuid(), 1, 'x', 1, '{}', '{}', now(), '' FROM generate_series(1, 5000) AS n`,
      [therapistId],
    );
    await admin.query('ANALYZE clients.events');
    const request = parseRequest({
      ...{ method: 'GET', resource: 'clients_history', query: `id=eq.${randomUUID()}`, headers: {} },
      body: new Uint8Array(),
    });
    const context = { catalog, therapistId, practiceRole: 'owner' as const };
    const { text, values } = compileRead(planRead(request, context), therapistId);
    const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
    await admin.query('ROLLBACK');
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Index Scan using events_stream_key on events e/,
    );
  });
});

it('a history exists for every resource', () => {
  for (const name of catalog.resources.keys())
    expect(catalog.readable.get(`${name}_history`)?.historyOf?.name).toBe(name);
});

describe('any sequence of writes', () => {
  const categories = fc.constantFrom('rent', 'books', 'travel');
  const amounts = fc.integer({ min: 1, max: 9999 }).map((cents) => cents / 100);
  const write = fc.record({
    target: fc.nat(2),
    kind: fc.constantFrom('put', 'put', 'patch', 'patch', 'delete'),
    amount: amounts,
    category: categories,
  });

  interface Sent {
    readonly target: number;
    readonly kind: string;
    readonly amount: number;
    readonly category: string;
  }

  const fold = (entries: readonly Entry[]): Record<string, unknown> | null =>
    entries.reduce<Record<string, unknown> | null>(
      (state, { after }) => (after === null ? null : { ...state, ...after }),
      null,
    );

  function checkHistory(entries: readonly Entry[]): void {
    entries.forEach(({ version, before, after }, index) => {
      expect(version).toBe(index + 1);
      const state = fold(entries.slice(0, index));
      if (state === null) expect(before).toBeNull();
      else if (after === null) expect(before).toEqual(state);
      else expect(before).toEqual(Object.fromEntries(Object.keys(after).map((name) => [name, state[name]])));
    });
  }

  async function send(of: Practice, ids: readonly string[], one: Sent): Promise<Answer> {
    const id = ids[one.target] as string;
    const { amount, category } = one;
    const path = `expenses?id=eq.${id}`;
    if (one.kind === 'delete') return of.rest(path, { method: 'DELETE' });
    if (one.kind === 'patch') return of.rest(path, { method: 'PATCH', body: { amount, category } });
    return of.rest(path, { method: 'PUT', body: { id, date: '2026-01-01', amount, category } });
  }

  it('has a history without gaps that folds to the records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 15 }), async (writes) => {
        const of = await newPractice();
        const ids = [randomUUID(), randomUUID(), randomUUID()];
        // Some arrive together and share a transaction.
        for (let at = 0; at < writes.length; at += 3)
          await Promise.all(writes.slice(at, at + 3).map((one) => send(of, ids, one)));
        const all = await read('expenses_history?order=position', of);
        expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1));
        for (const { change_id: change } of all) expect(change).toMatch(/^finance:\d+$/);
        for (const id of ids) {
          const entries = all.filter((entry) => entry.id === id);
          checkHistory(entries);
          const stored = await find(of, 'expenses', id);
          expect(fold(entries)).toEqual(stored === undefined ? null : without(stored, 'updated_at'));
        }
      }),
      { numRuns: 12 },
    );
  });
});
