import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, find, make, makeAll, newPractice, patch, remove, slot, write } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { call, draftOf, finalize } from './testing/billing.js';

let practice: Practice;
let service: Made;
beforeAll(async () => {
  practice = await newPractice();
  service = await make(practice, 'service_menu', { name: 'Individual', duration: 50, price: 110 });
});

let index = 0;
const visit = (client: Made, more: object = {}): Promise<Made> =>
  make(practice, 'appointments', {
    ...slot(index++),
    ...{ client_id: client.id, service_id: service.id, status: 'completed' },
    ...more,
  });
const person = () => make(practice, 'clients', { name: 'Ada' });

/** A package whose invoice is finalized. */
async function boughtBy(client: Made, sessions = 10): Promise<Made> {
  const { invoice } = await draftOf(practice, [900], { client });
  const bought = { client_id: client.id, service_id: service.id, invoice_id: invoice.id, sessions };
  const made = await make(practice, 'packages', bought);
  await finalize(practice, invoice);
  return made;
}

describe('bill_appointments', () => {
  it('bills each completed appointment with a service once, immediately', async () => {
    const client = await person();
    const visits = [await visit(client), await visit(client, { price: 90 })];
    await visit(client, { status: 'no_show' });
    await visit(client, { service_id: null });
    const billed = await call(practice, 'bill_appointments', { client_id: client.id });
    expect(billed.json).toEqual([
      { invoice_id: expect.any(String), client_id: client.id, items: 2, total: 200 },
    ]);
    const [{ invoice_id: id }] = billed.json as [{ invoice_id: string }];
    const items = `invoice_items?invoice_id=eq.${id}&select=appointment_id,date,description,total&order=date,appointment_id`;
    expect((await practice.rest(items)).json).toEqual(
      visits.map(({ id: appointment_id, date, price }) => ({
        ...{ appointment_id, date, description: 'Individual', total: price },
      })),
    );
    expect((await call(practice, 'bill_appointments', { client_id: client.id })).json).toEqual([]);
    await remove(practice, 'invoices', id);
    expect((await call(practice, 'bill_appointments', { client_id: client.id })).json).toHaveLength(1);
  });

  it('is about no single record, so If-Match is refused', async () => {
    const body = { from: '2026-03-01', to: '2026-03-31' };
    const given = { method: 'POST', body, headers: { 'if-match': '"1"' } };
    const refused = await practice.rest('rpc/bill_appointments', given);
    expect(refused).toMatchObject({ status: 400, json: { code: 'PM006' } });
  });

  it('bills the days of a month for every client once, even with concurrent calls', async () => {
    const [one, other] = [await person(), await person()];
    const day = { date: '2026-03-31', start_time: '08:00', end_time: '08:50' };
    for (const client of [one, other]) await visit(client, { ...day, allow_overlap: true });
    await visit(one, { ...day, date: '2026-04-01' });
    const march = { from: '2026-03-01', to: '2026-03-31' };
    const calls = await Promise.all([1, 2, 3].map(() => call(practice, 'bill_appointments', march)));
    const rows = calls.flatMap(({ json }) => json as { client_id: string; items: number }[]);
    expect(rows.map(({ client_id: id, items }) => [id, items]).toSorted()).toEqual(
      [
        [one.id, 1],
        [other.id, 1],
      ].toSorted(),
    );
  });

  it('bills the other clients if one of them was erased', async () => {
    const [one, erased] = [await person(), await person()];
    const day = { date: '2026-05-04', start_time: '08:00', end_time: '08:50', allow_overlap: true };
    for (const client of [one, erased]) await visit(client, day);
    const { id } = (await call(practice, 'erase_client', { client_id: erased.id })).json as Made;
    await eventually(
      'the erasure is done',
      async () => (await find(practice, 'erasures', id))?.['status'] === 'done',
    );
    const billed = await call(practice, 'bill_appointments', { from: day.date, to: day.date });
    expect([billed.status, billed.json]).toEqual([
      200,
      [expect.objectContaining({ client_id: one.id, items: 1 })],
    ]);
  });

  it.each([
    {},
    { from: '2026-01-01' },
    { from: '2026-02-01', to: '2026-01-01' },
    { client_id: randomUUID(), from: '2026-02-01', to: '2026-01-01' },
    { from: '2026-01-01', to: '2027-01-01' },
  ])('with %p is refused', async (args) => {
    const answer = await call(practice, 'bill_appointments', args);
    expect(answer).toMatchObject({ status: 400, json: { code: '22023' } });
  });
});

describe('a package', () => {
  it('is used by completed appointments, gets sessions back, and never gives more sessions than it has', async () => {
    const client = await person();
    const { id } = await boughtBy(client);
    expect(await find(practice, 'packages', id)).toMatchObject({ status: 'active', used: 0 });
    const visits = await Promise.all(
      Array.from({ length: 14 }, () => visit(client, { status: 'confirmed', allow_overlap: true })),
    );
    await Promise.all(
      visits.map((each) => patch(practice, 'appointments', { id: each.id, status: 'completed' })),
    );
    await eventually('ten are used', async () => (await find(practice, 'packages', id))?.['used'] === 10);
    const { json } = await call(practice, 'bill_appointments', { client_id: client.id });
    expect(json).toMatchObject([{ items: 4 }]);
    const [first] = (await find(practice, 'packages', id))?.['used_by'] as [string];
    await patch(practice, 'appointments', { id: first, status: 'confirmed' });
    await eventually('it is given back', async () => (await find(practice, 'packages', id))?.['used'] === 9);
    await patch(practice, 'appointments', { id: first, status: 'completed' });
    await eventually('it is used again', async () => (await find(practice, 'packages', id))?.['used'] === 10);
    expect((await remove(practice, 'packages', id)).json).toMatchObject({ code: 'PM001' });
  });

  it.each([
    { sessions: 100, billed: [] },
    { sessions: 60, billed: [{ items: 40 }] },
  ])(
    'of $sessions sessions is used by 100 appointments that are billed right after their completion',
    async ({ sessions, billed }) => {
      const client = await person();
      const { id } = await boughtBy(client, sessions);
      const booked = { client_id: client.id, service_id: service.id, allow_overlap: true, ...slot(index++) };
      await makeAll(
        practice,
        'appointments',
        Array.from({ length: 100 }, () => booked),
      );
      const body = { status: 'completed' };
      const path = `appointments?client_id=eq.${client.id}`;
      expect((await write(practice, path, { method: 'PATCH', body })).status).toBe(204);
      const { json } = await call(practice, 'bill_appointments', { client_id: client.id });
      expect(json).toEqual(billed.map((items) => expect.objectContaining(items)));
      const used = async () => (await find(practice, 'packages', id))?.['used'];
      await eventually('all are used', async () => (await used()) === sessions);
      expect((await call(practice, 'bill_appointments', { client_id: client.id })).json).toEqual([]);
    },
  );

  it('is used by an appointment that an invoice item names before its event has arrived', async () => {
    const client = await person();
    const { id } = await boughtBy(client);
    const { id: invoice_id } = await make(practice, 'invoices', { client_id: client.id });
    const done = { client_id: client.id, service_id: service.id, status: 'completed' };
    const oil = { description: 'Oil', unit_price: 5 };
    const operations = [
      { as: 'visit', path: 'appointments', body: { ...slot(index++), ...done } },
      { path: 'invoice_items', body: { invoice_id, appointment_id: '$visit.id', ...oil } },
    ];
    expect(await call(practice, 'batch', { operations })).toMatchObject({ status: 200 });
    await eventually('it is used', async () => (await find(practice, 'packages', id))?.['used'] === 1);
  });
});

describe('a void package', () => {
  it('does not pay for the appointments that have used it', async () => {
    const client = await person();
    const { id, invoice_id: invoice } = await boughtBy(client);
    await visit(client);
    await eventually('it is used', async () => (await find(practice, 'packages', id))?.['used'] === 1);
    await patch(practice, 'invoices', { id: String(invoice), status: 'void' });
    const billed = await call(practice, 'bill_appointments', { client_id: client.id });
    expect(billed.json).toMatchObject([{ items: 1, total: 110 }]);
  });
});

describe('an invoice that is credited in full', () => {
  const credit = (invoice_id: unknown, total: number): Promise<Made> =>
    make(practice, 'credit_notes', { invoice_id, total, reason: 'A mistake' });

  it('no longer bills its appointments', async () => {
    const client = await person();
    await visit(client);
    const bill = () => call(practice, 'bill_appointments', { client_id: client.id });
    const [{ invoice_id: id }] = (await bill()).json as [{ invoice_id: string }];
    await finalize(practice, { id });
    await credit(id, 10);
    expect((await bill()).json).toEqual([]);
    await credit(id, 100);
    const args = { client_id: client.id, from: '2001-01-01', to: '2030-01-01' };
    expect((await call(practice, 'superbill', args)).json).toEqual([]);
    expect((await bill()).json).toMatchObject([{ items: 1, total: 110 }]);
  });

  it('no longer sells its packages', async () => {
    const { id, invoice_id } = await boughtBy(await person());
    await credit(invoice_id, 900);
    expect(await find(practice, 'packages', id)).toMatchObject({ status: 'void' });
  });
});

describe('a fee rule', () => {
  it('proposes a draft for a late cancellation, and withdraws it when the appointment takes place', async () => {
    await make(practice, 'fee_rules', { kind: 'late_cancellation', percent: 50 });
    const client = await person();
    const { id } = await visit(client, { status: 'scheduled' });
    await patch(practice, 'appointments', { id, status: 'cancelled' });
    await eventually('it is proposed', async () => (await find(practice, 'invoices', id)) !== undefined);
    expect(await find(practice, 'invoices', id)).toMatchObject({
      ...{ status: 'draft', total: 55, client_id: client.id },
    });
    expect((await practice.rest(`invoices_history?id=eq.${id}&version=eq.1&select=actor`)).json).toEqual([
      { actor: 'policy' },
    ]);
    await patch(practice, 'appointments', { id, status: 'scheduled' });
    await eventually('it is withdrawn', async () => (await find(practice, 'invoices', id)) === undefined);
    await patch(practice, 'appointments', { id, status: 'cancelled' });
    await eventually(
      'it is proposed again',
      async () => (await find(practice, 'invoices', id)) !== undefined,
    );
  });

  it('can end, but cannot change', async () => {
    const { id } = await make(practice, 'fee_rules', { kind: 'no_show', amount: 30 });
    const changed = await practice.rest(`fee_rules?id=eq.${id}`, { method: 'PATCH', body: { amount: 40 } });
    expect(changed).toMatchObject({ status: 400, json: { code: '428C9' } });
    const path = `fee_rules?id=eq.${id}`;
    const ended = await practice.rest(path, { method: 'PATCH', body: { status: 'ended' } });
    expect(await find(practice, 'fee_rules', id)).toMatchObject({
      status: 'ended',
      ended_at: expect.any(String),
    });
    const back = await practice.rest(path, { method: 'PATCH', body: { status: 'active' } });
    expect(back).toMatchObject({ status: 409, json: { code: 'PM001' } });
    const undone = await call(practice, 'undo', { change_id: ended.headers.get('change-id') });
    expect(undone.status).toBe(200);
    expect(await find(practice, 'fee_rules', id)).toMatchObject({ status: 'active', ended_at: null });
  });
});

describe('superbill', () => {
  it('lists the services of a client on finalized invoices', async () => {
    const client = await person();
    const { date } = await visit(client);
    const [{ invoice_id: id }] = (await call(practice, 'bill_appointments', { client_id: client.id }))
      .json as [{ invoice_id: string }];
    const args = { client_id: client.id, from: '2001-01-01', to: '2030-01-01' };
    expect((await call(practice, 'superbill', args)).json).toEqual([]);
    const { number } = await finalize(practice, { id });
    expect((await call(practice, 'superbill', args)).json).toMatchObject([
      {
        date,
        description: 'Individual',
        quantity: 1,
        total: 110,
        invoice_number: number,
        invoice_status: 'open',
      },
    ]);
    const backwards = await call(practice, 'superbill', { ...args, to: '2000-12-31' });
    expect(backwards).toMatchObject({
      status: 400,
      json: { code: '22023', details: 'It must not be before from.' },
    });
  });
});
