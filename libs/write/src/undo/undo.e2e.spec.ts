// Undo, through the whole stack: the values that go back, the refusals, and the effects in other services.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { catalog } from '@practice/contracts';
import { eventually, find, make, newPractice, remove, slot } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { codeOf, stable, undoing } from '../testing/undoing.js';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});
const { undo, changed, undone, lastChange } = undoing(() => practice);

const expense = { date: '2026-01-02', amount: 12.5, category: 'rent' };

describe('undoing one change', () => {
  it('sets the columns of a change back, by domain events with their own change id', async () => {
    const made = await make(practice, 'expenses', expense);
    const change = await changed(`expenses?id=eq.${made.id}`, 'PATCH', { amount: 20, category: 'books' });
    const { rows, change: undo } = await undone({ change_id: change });
    expect(rows).toEqual([
      {
        ...{ service: 'finance', resource: 'expenses', id: made.id, event: 'ExpenseCorrected' },
        ...{ before: { amount: 20, category: 'books' }, after: { amount: 12.5, category: 'rent' } },
        ...{ undoes: change, problem: null },
      },
    ]);
    expect(stable((await find(practice, 'expenses', made.id)) as Made)).toEqual(stable(made));
    const history = await practice.rest(`expenses_history?id=eq.${made.id}&order=version.desc&limit=1`);
    expect(history.json).toMatchObject([{ change_id: undo, undoes: change, actor_name: practice.email }]);
  });

  it('deletes what the change has created, and brings back what it has deleted, with its id', async () => {
    const made = await make(practice, 'expenses', expense);
    const creation = await lastChange('expenses', made.id);
    const { rows } = await undone({ change_id: creation });
    expect(rows).toMatchObject([{ event: 'ExpenseDeleted', after: null }]);
    expect(await find(practice, 'expenses', made.id)).toBeUndefined();
    const back = await undone({ change_id: await lastChange('expenses', made.id) });
    expect(back.rows).toMatchObject([{ event: 'ExpenseRestored', before: null, after: { amount: 12.5 } }]);
    expect(stable((await find(practice, 'expenses', made.id)) as Made)).toEqual(stable(made));
    expect(await historyVersions('expenses', made.id)).toEqual([1, 2, 3]);
  });

  it('can be undone, and its undo as well', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const change = await changed(`clients?id=eq.${id}`, 'PATCH', { name: 'Ada L.', phone: '5' });
    const first = await undone({ change_id: change });
    const second = await undone({ change_id: first.change });
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'Ada L.', phone: '5' });
    await undone({ change_id: second.change });
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'Ada', phone: null });
  });

  it('goes back to a status that no transition leads to, by an event of its own', async () => {
    const { id } = await make(practice, 'appointments', slot(0));
    const path = `appointments?id=eq.${id}`;
    await changed(path, 'PATCH', { status: 'confirmed' });
    const { rows } = await undone({ change_id: await changed(path, 'PATCH', { status: 'cancelled' }) });
    expect(rows).toMatchObject([{ event: 'AppointmentRestored', after: { status: 'confirmed' } }]);
    expect(await find(practice, 'appointments', id)).toMatchObject({ status: 'confirmed' });
  });

  it('takes a record of an append-only resource back', async () => {
    const client = await make(practice, 'clients', { name: 'Bo' });
    const entry = await make(practice, 'conversation_log', { client_id: client.id, content: 'Hello' });
    const { change, rows } = await undone({ change_id: await lastChange('conversation_log', entry.id) });
    expect(rows).toMatchObject([{ event: 'ConversationWithdrawn' }]);
    expect(await find(practice, 'conversation_log', entry.id)).toBeUndefined();
    await undone({ change_id: change });
    expect(stable((await find(practice, 'conversation_log', entry.id)) as Made)).toEqual(stable(entry));
  });

  it('takes all records of a bulk write back', async () => {
    const body = [1, 2, 3].map((amount) => ({ ...expense, amount }));
    const change = await changed('expenses', 'POST', body);
    const { rows } = await undone({ change_id: change });
    expect(rows.map(({ event }) => event)).toEqual(Array(3).fill('ExpenseDeleted'));
  });
});

const historyVersions = async (resource: string, id: string): Promise<number[]> =>
  ((await practice.rest(`${resource}_history?id=eq.${id}&order=version`)).json as { version: number }[]).map(
    ({ version }) => version,
  );

describe('several changes', () => {
  it('are undone all or not at all, the newest first', async () => {
    const { id } = await make(practice, 'clients', { name: 'A' });
    const path = `clients?id=eq.${id}`;
    const first = await changed(path, 'PATCH', { name: 'B' });
    const second = await changed(path, 'PATCH', { name: 'C' });
    const other = await make(practice, 'clients', { name: 'X' });
    const third = await changed(`clients?id=eq.${other.id}`, 'PATCH', { name: 'Y' });
    await changed(`clients?id=eq.${other.id}`, 'PATCH', { name: 'Z' });
    expect(await codeOf(undo({ change_ids: [first, second, third] }))).toEqual([409, 'PM007']);
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'C' });
    await undone({ change_ids: [first, second] });
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'A' });
  });

  it('may create or delete records that refer to each other', async () => {
    const entry = await make(practice, 'service_menu', { name: randomUUID(), duration: 50, price: 5 });
    const booked = await make(practice, 'appointments', { ...slot(1), service_id: entry.id });
    const creations = [
      await lastChange('service_menu', entry.id),
      await lastChange('appointments', booked.id),
    ];
    const { change } = await undone({ change_ids: creations });
    expect(await find(practice, 'service_menu', entry.id)).toBeUndefined();
    await undone({ change_id: change });
    expect(stable((await find(practice, 'appointments', booked.id)) as Made)).toEqual(stable(booked));
  });

  it('of several services are refused', async () => {
    expect(await codeOf(undo({ change_ids: ['clients:1', 'finance:1'] }))).toEqual([400, '22023']);
  });

  it('of one record can be undone on the condition that the record has a given version', async () => {
    const { id } = await make(practice, 'expenses', expense);
    const change = await changed(`expenses?id=eq.${id}`, 'PATCH', { amount: 1 });
    expect(await codeOf(undo({ change_id: change }, { 'if-match': '"1"' }))).toEqual([412, 'PM006']);
    expect((await undo({ change_id: change }, { 'if-match': '"2"' })).status).toBe(200);
    const bulk = await changed('expenses', 'POST', [expense, expense]);
    expect(await codeOf(undo({ change_id: bulk }, { 'if-match': '"1"' }))).toEqual([400, 'PM006']);
  });
});

describe('a record that has been changed since', () => {
  it('is not touched: the refusal names the column, the later change, its actor and time', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const path = `clients?id=eq.${id}`;
    const change = await changed(path, 'PATCH', { name: 'Bea', phone: '1' });
    const later = await changed(path, 'PATCH', { name: 'Cleo' });
    const answer = await undo({ change_id: change });
    expect([answer.status, answer.json]).toEqual([
      409,
      {
        ...{
          code: 'PM007',
          message: `${change} cannot be undone, because the record has been changed since`,
        },
        details: expect.stringMatching(
          new RegExp(
            `^clients ${id}: name was changed by ${later} \\(ClientRenamed, by ${practice.email}, at \\d{4}-`,
          ),
        ),
        hint: expect.stringContaining('force'),
      },
    ]);
    expect((answer.json as { details: string }).details).not.toContain('Cleo');
    await undone({ change_id: change, force: true });
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'Ada', phone: null });
  });

  it('goes back in other columns, because each column is compared by itself', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const change = await changed(`clients?id=eq.${id}`, 'PATCH', { phone: '1' });
    await changed(`clients?id=eq.${id}`, 'PATCH', { name: 'Bea' });
    await undone({ change_id: change });
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'Bea', phone: null });
  });

  it('is not deleted unless the undo is forced', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const creation = await lastChange('clients', id);
    await changed(`clients?id=eq.${id}`, 'PATCH', { name: 'Bea' });
    expect(await codeOf(undo({ change_id: creation }))).toEqual([409, 'PM007']);
    await undone({ change_id: creation, force: true });
    expect(await find(practice, 'clients', id)).toBeUndefined();
  });

  it('conflicts also if it was deleted, or created again', async () => {
    const { id } = await make(practice, 'expenses', expense);
    const change = await changed(`expenses?id=eq.${id}`, 'PATCH', { amount: 1 });
    const deletion = await changed(`expenses?id=eq.${id}`, 'DELETE');
    const gone = await undo({ change_id: change });
    expect(gone.json).toMatchObject({ code: 'PM007', details: expect.stringContaining(`by ${deletion} (`) });
    await make(practice, 'expenses', { id, ...expense });
    expect(await codeOf(undo({ change_id: deletion }))).toEqual([409, 'PM007']);
  });

  it('is not undone twice', async () => {
    const { id } = await make(practice, 'expenses', expense);
    const change = await changed(`expenses?id=eq.${id}`, 'PATCH', { amount: 1 });
    const first = await undone({ change_id: change });
    const again = await undo({ change_id: change });
    expect(again.json).toMatchObject({ code: 'PM007', details: expect.stringContaining(first.change) });
  });
});

describe('the rules hold', () => {
  it('an appointment does not go back to a time that is taken', async () => {
    const { id } = await make(practice, 'appointments', slot(2));
    const cancelled = await changed(`appointments?id=eq.${id}`, 'PATCH', { status: 'cancelled' });
    const moved = await make(practice, 'appointments', slot(3));
    const move = await changed(`appointments?id=eq.${moved.id}`, 'PATCH', slot(4));
    await make(practice, 'appointments', slot(2));
    await make(practice, 'appointments', slot(3));
    expect(await codeOf(undo({ change_id: cancelled }))).toEqual([409, 'PM002']);
    expect(await codeOf(undo({ change_id: move }))).toEqual([409, 'PM002']);
  });

  it('opening hours do not come back if they overlap with others', async () => {
    const hours = { day_of_week: 'sunday', open_time: '09:00', close_time: '12:00' };
    const { id } = await make(practice, 'business_hours', hours);
    const deletion = await changed(`business_hours?id=eq.${id}`, 'DELETE');
    await make(practice, 'business_hours', { ...hours, open_time: '10:00' });
    const answer = await undo({ change_id: deletion });
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([409, 'PM003']);
    expect(await find(practice, 'business_hours', id)).toBeUndefined();
  });

  it('a record that others refer to is not deleted, in this service and in others', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const creation = await lastChange('clients', client.id);
    const booked = await make(practice, 'appointments', { ...slot(5), client_id: client.id });
    expect(await codeOf(undo({ change_id: creation }))).toEqual([409, '23503']);
    await remove(practice, 'appointments', booked.id);
    await make(practice, 'conversation_log', { client_id: client.id, content: 'Hello' });
    expect(await codeOf(undo({ change_id: creation, force: true }))).toEqual([409, '23503']);
  });

  it('a record does not come back without the record that it refers to', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const booked = await make(practice, 'appointments', { ...slot(6), client_id: client.id });
    const deletion = await changed(`appointments?id=eq.${booked.id}`, 'DELETE');
    await remove(practice, 'clients', client.id);
    expect(await codeOf(undo({ change_id: deletion }))).toEqual([409, '23503']);
  });
});

describe('other services', () => {
  const visits = async (id: string): Promise<unknown> =>
    (await find(practice, 'clients', id))?.['total_visits'];

  it('count a visit again or no longer, and follow the names of clients', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const booked = await make(practice, 'appointments', { ...slot(8), client_id: id });
    const path = `appointments?id=eq.${booked.id}`;
    const completion = await changed(path, 'PATCH', { status: 'completed' });
    await eventually('the visit counts', async () => (await visits(id)) === 1);
    const first = await undone({ change_id: completion });
    await eventually('it counts no more', async () => (await visits(id)) === 0);
    await undone({ change_id: first.change });
    await eventually('it counts again', async () => (await visits(id)) === 1);
    const rename = await changed(`clients?id=eq.${id}`, 'PATCH', { name: 'Bea' });
    const name = async (): Promise<unknown> =>
      (await find(practice, 'appointments', booked.id))?.['client_name'];
    await eventually('the name follows', async () => (await name()) === 'Bea');
    await undone({ change_id: rename });
    await eventually('the name goes back', async () => (await name()) === 'Ada');
    expect(await visits(id)).toBe(1);
  });

  it('may have renamed a client since: a deleted appointment comes back with the current name', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const kept = await make(practice, 'appointments', { ...slot(10), client_id: id });
    const booked = await make(practice, 'appointments', { ...slot(11), client_id: id });
    const deletion = await changed(`appointments?id=eq.${booked.id}`, 'DELETE');
    await changed(`clients?id=eq.${id}`, 'PATCH', { name: 'Bea' });
    const nameOn = async (one: Made) => (await find(practice, 'appointments', one.id))?.['client_name'];
    await eventually('the name has arrived', async () => (await nameOn(kept)) === 'Bea');
    expect((await undone({ change_id: deletion })).rows).toMatchObject([{ after: { client_name: 'Bea' } }]);
    expect(await nameOn(booked)).toBe('Bea');
  });

  it('know a record that was restored', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const deletion = await changed(`clients?id=eq.${id}`, 'DELETE');
    await undone({ change_id: deletion });
    await make(practice, 'appointments', { ...slot(9), client_id: id });
    await make(practice, 'sessions', { client_id: id });
  });
});

it('every resource whose changes can be undone has an event for restored records', () => {
  for (const { events, isUndoable } of catalog.resources.values())
    expect(Object.values(events).includes('restored')).toBe(isUndoable !== false);
});
