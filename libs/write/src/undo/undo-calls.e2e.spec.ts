// Calls of undo: arguments, dry runs, repetitions, and everything that an actor did, in several services.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, find, make, newPractice, patch, remove, slot } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { codeOf, stable, type Undone, undoing } from '../testing/undoing.js';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});
const { undo, changed, lastChange } = undoing(() => practice);

const expense = { date: '2026-01-02', amount: 12.5, category: 'rent' };

describe('a call', () => {
  it.each<[string, object, number, string]>([
    ['an unknown change', { change_id: 'clients:999999' }, 404, 'PM404'],
    ['an unknown service', { change_id: 'nothing:1' }, 404, 'PM404'],
    ['text that is no change id', { change_id: 'clients' }, 404, 'PM404'],
    ['a change of memberships', { change_id: 'identity:1' }, 400, '0A000'],
    ['nothing', {}, 400, '22023'],
    ['two ways', { change_id: 'clients:1', change_ids: ['clients:1'] }, 400, '22023'],
    ['no ids', { change_ids: [] }, 400, '22023'],
    ['ids that are no list', { change_ids: 'clients:1' }, 400, '22023'],
    ['ids that are no texts', { change_ids: [1] }, 400, '22023'],
    ['an actor without a time', { actor_name: 'x' }, 400, '22023'],
    ['a time without an actor', { change_id: 'clients:1', since: '2026-01-01' }, 400, '22023'],
    ['an actor that is no id', { actor_id: 'x', since: '2026-01-01' }, 400, '22P02'],
    ['an unknown argument', { change: 'clients:1' }, 404, 'PGRST202'],
  ])('with %s is refused', async (_what, args, status, code) => {
    expect(await codeOf(undo(args))).toEqual([status, code]);
  });

  it('with the id of a later event of a change is refused', async () => {
    const bulk = await changed('expenses', 'POST', [expense, expense]);
    const second = `finance:${Number(bulk.split(':')[1]) + 1}`;
    expect(await codeOf(undo({ change_id: second }))).toEqual([404, 'PM404']);
  });

  it('does nothing in a dry run, but lists the events', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const creation = await lastChange('clients', client.id);
    const dry = await undo({ change_id: creation }, { prefer: 'tx=rollback' });
    expect(dry).toMatchObject({ status: 200, json: [{ event: 'ClientDeleted' }] });
    expect([dry.headers.get('change-id'), dry.headers.get('preference-applied')]).toEqual([
      null,
      'tx=rollback',
    ]);
    expect(await find(practice, 'clients', client.id)).toEqual(client);
    const rolled = await undo({ change_id: creation }, { accept: 'application/vnd.pgrst.object+json' });
    expect(rolled.status).toBe(200);
  });

  it('with a token shows no values of records that the token does not read', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const body = { name: 'a script', scopes: ['payments:write', 'rpc:undo'] };
    const made = await practice.rest('rpc/create_token', { method: 'POST', body });
    const headers = { authorization: `Bearer ${(made.json as { token: string }).token}` };
    const payment = { client_id: client.id, amount: 5, method: 'cash', date: '2026-01-02' };
    const paid = await practice.rest('payments', { method: 'POST', body: payment, headers });
    const { json } = await undo({ change_id: paid.headers.get('change-id') }, headers);
    const values = (json as Undone[]).map(({ resource, before, after }) => [resource, before ?? after]);
    expect(values).toEqual(
      expect.arrayContaining([
        ['payments', expect.objectContaining({ amount: 5 })],
        ['client_balances', null],
      ]),
    );
  });

  it('that undoes fewer records than min-affected asks for changes nothing', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const change = { change_id: await lastChange('clients', client.id) };
    const strictly = (least: number) => undo(change, { prefer: `handling=strict, min-affected=${least}` });
    expect(await codeOf(strictly(2))).toEqual([404, 'PM404']);
    expect(await find(practice, 'clients', client.id)).toEqual(client);
    const done = await strictly(1);
    expect([done.status, done.headers.get('preference-applied')]).toEqual([
      200,
      'handling=strict, min-affected=1',
    ]);
  });

  it('with an Idempotency-Key is carried out, or refused, only once', async () => {
    const { id } = await make(practice, 'expenses', expense);
    const change = await changed(`expenses?id=eq.${id}`, 'PATCH', { amount: 1 });
    const headers = { 'idempotency-key': randomUUID(), 'change-reason': 'a%20mistake' };
    const answers = await Promise.all([1, 2, 3].map(() => undo({ change_id: change }, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((one) => one.headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
    const history = await practice.rest(`expenses_history?id=eq.${id}&order=version`);
    expect(history.json).toMatchObject([{}, {}, { reason: 'a mistake' }]);
    const refused = { 'idempotency-key': randomUUID() };
    expect(await codeOf(undo({ change_id: change }, refused))).toEqual([409, 'PM007']);
    expect((await undo({ change_id: change }, refused)).headers.get('idempotency-replayed')).toBe('true');
  });

  it('selects, filters and orders its rows', async () => {
    const change = await changed('expenses', 'POST', [expense, { ...expense, amount: 3 }]);
    const answer = await practice.rest('rpc/undo?select=before->amount&order=before->amount&limit=1', {
      method: 'POST',
      body: { change_id: change },
    });
    expect(answer.json).toEqual([{ amount: 3 }]);
  });

  it('finds only changes of the caller’s practice', async () => {
    const other = await newPractice();
    const change = await changed('expenses', 'POST', expense);
    expect(await codeOf(undoing(() => other).undo({ change_id: change }))).toEqual([404, 'PM404']);
  });
});

describe('everything that an actor did', () => {
  /** The earliest time of a later write. */
  const after = (record: Made): string =>
    new Date(Date.parse(String(record['updated_at'])) + 1).toISOString();

  it('is undone in each service as a whole, and the answer lists the changes', async () => {
    const own = await newPractice();
    const as = undoing(() => own);
    const kept = await make(own, 'clients', { name: 'Kept' });
    const from = after(kept);
    await pause(2);
    await patch(own, 'clients', { id: kept.id, name: 'Changed' });
    const made = await make(own, 'clients', { name: 'Ada' });
    await make(own, 'appointments', { ...slot(0), client_id: made.id });
    await make(own, 'expenses', expense);
    const { rows, change } = await as.undone({ actor_id: own.therapistId, since: from });
    expect(new Set(rows.map(({ service }) => service))).toEqual(
      new Set(['clients', 'finance', 'scheduling']),
    );
    expect(change.split(', ').map((id) => id.split(':')[0])).toEqual(expect.arrayContaining(['clients']));
    expect(change.split(', ')).toHaveLength(3);
    // Changes that were taken back are left out, and so is the undo.
    expect((await as.undone({ actor_name: own.email, since: from })).rows).toEqual([]);
    expect(await find(own, 'clients', kept.id)).toMatchObject({ name: 'Kept' });
    for (const resource of ['appointments', 'expenses', 'clients?name=neq.Kept'])
      expect((await own.rest(resource)).json).toEqual([]);
  });

  it('is undone once for a key, although the parts refer to each other', async () => {
    const own = await newPractice();
    const as = undoing(() => own);
    const client = await make(own, 'clients', { name: 'Ada' });
    const booked = await make(own, 'appointments', { ...slot(0), client_id: client.id });
    const since = after(booked);
    await pause(2);
    await remove(own, 'appointments', booked.id);
    await remove(own, 'clients', client.id);
    const key = { 'idempotency-key': randomUUID() };
    const by = { actor_id: own.therapistId, since };
    const first = await as.undo(by, key);
    const again = await as.undo(by, key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(stable((await find(own, 'appointments', booked.id)) as Made)).toEqual(stable(booked));
  });

  it('has a row for a part that failed, and the other parts are done', async () => {
    const own = await newPractice();
    const as = undoing(() => own);
    const client = await make(own, 'clients', { name: 'Ada' });
    const since = after(client);
    await pause(2);
    await patch(own, 'clients', { id: client.id, name: 'Bea' });
    const spent = await make(own, 'expenses', expense);
    const until = after(spent);
    await pause(2);
    const later = await as.changed(`clients?id=eq.${client.id}`, 'PATCH', { name: 'Cleo' });
    const answer = await as.undo({ actor_id: own.therapistId, since, until });
    expect([answer.status, answer.headers.get('change-id')]).toEqual([
      207,
      expect.stringMatching(/^finance:\d+$/),
    ]);
    const failed = { code: 'PM007', details: expect.stringContaining(later) };
    expect(answer.json).toMatchObject([
      { service: 'finance', resource: 'expenses', id: spent.id, problem: null },
      { service: 'clients', resource: null, id: null, problem: failed },
    ]);
    expect(await find(own, 'clients', client.id)).toMatchObject({ name: 'Cleo' });
    expect(await codeOf(as.undo({ actor_id: own.therapistId, since, until }))).toEqual([207, undefined]);
  });

  describe('while policies have changed what the actor created', () => {
    /** A practice with a client from before. */
    async function begun() {
      const own = await newPractice();
      const client = await make(own, 'clients', { name: 'Ada' });
      const since = after(client);
      await pause(2);
      return { own, client, since, as: undoing(() => own) };
    }

    /** A new client whose visit is counted. */
    async function visited(own: Practice): Promise<Made> {
      const client = await make(own, 'clients', { name: 'Cleo' });
      await make(own, 'appointments', { ...slot(0), client_id: client.id, status: 'completed' });
      return eventually('the visit counts', async () => {
        const found = await find(own, 'clients', client.id);
        return found?.['total_visits'] === 1 && found;
      });
    }

    it('is undone: a client whose visit was counted', async () => {
      const { own, since, as } = await begun();
      await visited(own);
      await as.undone({ actor_id: own.therapistId, since });
      expect((await own.rest('appointments')).json).toEqual([]);
      expect((await own.rest('clients?select=name')).json).toEqual([{ name: 'Ada' }]);
    });

    it('is undone: an appointment whose client was renamed', async () => {
      const { own, client, since, as } = await begun();
      const booked = await make(own, 'appointments', { ...slot(0), client_id: client.id });
      await patch(own, 'clients', { id: client.id, name: 'Bea' });
      await eventually('the name follows', async () => {
        const found = await find(own, 'appointments', booked.id);
        return found?.['client_name'] === 'Bea';
      });
      await as.undone({ actor_id: own.therapistId, since });
      expect((await own.rest('appointments')).json).toEqual([]);
      expect((await own.rest('clients?select=name')).json).toEqual([{ name: 'Ada' }]);
    });

    it('is not undone if a person has changed it, too', async () => {
      const { own, since, as } = await begun();
      const client = await visited(own);
      const until = after(client);
      await pause(2);
      await patch(own, 'clients', { id: client.id, phone: '5' });
      const { status, json } = await as.undo({ actor_id: own.therapistId, since, until });
      const [problem] = (json as { problem: { code: string; details: string } | null }[]).flatMap(
        (row) => row.problem ?? [],
      );
      expect([status, problem]).toMatchObject([207, { code: 'PM007' }]);
      expect(problem?.details).toMatch(/: phone was changed by [^;]*$/);
      expect(await find(own, 'clients', client.id)).toMatchObject({ phone: '5' });
    });
  });

  it('is refused for CSV, with a limit and with If-Match, and returns no rows if no change matches', async () => {
    const by = { actor_id: practice.therapistId, since: '2000-01-01' };
    expect(await codeOf(undo(by, { accept: 'text/csv' }))).toEqual([400, 'PM400']);
    expect(await codeOf(practice.rest('rpc/undo?limit=1', { method: 'POST', body: by }))).toEqual([
      400,
      'PM400',
    ]);
    const version = await undo(by, { 'if-match': '"1"' });
    expect(version).toMatchObject({ status: 400, json: { code: 'PM006' } });
    for (const bound of ['max-affected=1', 'min-affected=1']) {
      const bounded = await undo(by, { prefer: `handling=strict, ${bound}` });
      expect(bounded).toMatchObject({ status: 400, json: { code: 'PM400' } });
    }
    const nobody = await undo({ actor_name: 'nobody', since: '2000-01-01' });
    expect([nobody.status, nobody.json, nobody.headers.get('change-id')]).toEqual([200, [], null]);
  });
});
