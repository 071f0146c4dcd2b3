import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, newPractice, patch, remove } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import { call, draftOf, finalize, openInvoice, trialBalance } from '../testing/billing.js';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const change = (path: string, body: object, method = 'PATCH') => practice.rest(path, { method, body });

describe('a draft', () => {
  it('has the totals of its items, each rounded half to even', async () => {
    const { id: tax_id } = await make(practice, 'taxes', { name: 'VAT', rate: 7.7 });
    const { invoice } = await draftOf(practice, [0.05, 0.15, 100], { tax_id });
    const { text } = await practice.rest(`invoices?id=eq.${invoice.id}&select=subtotal,tax_total,total`);
    expect(text).toBe('[{"subtotal":100.20,"tax_total":7.71,"total":107.91}]');
  });

  it('follows the changes of its items, and their undo', async () => {
    const { invoice } = await draftOf(practice, [10, 20]);
    const [item] = (await practice.rest(`invoice_items?invoice_id=eq.${invoice.id}&order=id`)).json as [
      { id: string },
    ];
    const changed = await change(`invoice_items?id=eq.${item.id}`, { quantity: 3 });
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ total: 50 });
    await make(practice, 'invoice_items', { invoice_id: invoice.id, description: 'More', unit_price: 1 });
    const undone = await call(practice, 'undo', { change_id: changed.headers.get('change-id') });
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ total: 31, subtotal: 31 });
    expect((await remove(practice, 'invoice_items', item.id)).status).toBe(204);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ total: 21 });
  });

  it('has the earlier rate of a tax after an undo, although the tax has another rate now', async () => {
    const tax = await make(practice, 'taxes', { name: 'VAT', rate: 19 });
    const { invoice } = await draftOf(practice, [100], { tax_id: tax.id });
    const [item] = (await practice.rest(`invoice_items?invoice_id=eq.${invoice.id}`)).json as [Made];
    const taken = await change(`invoice_items?id=eq.${item.id}`, { tax_id: null });
    await patch(practice, 'taxes', { id: tax.id, rate: 7 });
    const undo = async ({ headers }: Answer): Promise<Answer> => {
      const undone = await call(practice, 'undo', { change_id: headers.get('change-id') });
      expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
      return undone;
    };
    const undone = await undo(taken);
    const taxed = { tax_id: tax.id, tax_rate: 19, tax_amount: 19, total: 119 };
    expect(await find(practice, 'invoice_items', item.id)).toMatchObject(taxed);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ tax_total: 19, total: 119 });
    await undo(undone);
    const untaxed = { tax_id: null, tax_rate: 0, tax_amount: 0, total: 100 };
    expect(await find(practice, 'invoice_items', item.id)).toMatchObject(untaxed);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ tax_total: 0, total: 100 });
  });

  it('is deleted with its items, and an undo restores them', async () => {
    const { invoice } = await draftOf(practice, [10, 20]);
    const gone = await practice.rest(`invoices?id=eq.${invoice.id}`, { method: 'DELETE' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await practice.rest(`invoice_items?invoice_id=eq.${invoice.id}`)).json).toEqual([]);
    const undone = await call(practice, 'undo', { change_id: gone.headers.get('change-id') });
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ status: 'draft', total: 30 });
    expect((await practice.rest(`invoice_items?invoice_id=eq.${invoice.id}`)).json).toHaveLength(2);
  });

  it.each([{ number: 'INV-00001' }, { total: 5 }, { status: 'open' }, { amount_due: 1 }])(
    'cannot be created with %p, which the server sets',
    async (value) => {
      const { id: client_id } = await make(practice, 'clients', { name: 'Bo' });
      const answer = await change('invoices', { client_id, ...value }, 'POST');
      expect(answer).toMatchObject({ status: 400, json: { code: '428C9' } });
    },
  );

  it('of an unknown client is refused', async () => {
    const answer = await change('invoices', { client_id: '4a0b9f6e-0000-4000-8000-000000000009' }, 'POST');
    expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
  });
});

describe('an item of an appointment', () => {
  it('has the price of the booking, although the service costs more now, and can be on only one invoice', async () => {
    const service = await make(practice, 'service_menu', { name: 'Individual', duration: 50, price: 110 });
    const client = await make(practice, 'clients', { name: 'Cy' });
    const appointment = await make(practice, 'appointments', {
      ...{ date: '2030-05-01', start_time: '09:00', client_id: client.id, service_id: service.id },
    });
    expect(appointment).toMatchObject({ price: 110 });
    await patch(practice, 'service_menu', { id: service.id, price: 120 });
    const { invoice } = await draftOf(practice, [], { client });
    const line = { invoice_id: invoice.id, appointment_id: appointment.id, service_id: service.id };
    const item = await make(practice, 'invoice_items', line);
    expect(item).toMatchObject({
      ...{ unit_price: 110, description: 'Individual', total: 110, client_id: client.id },
    });
    const other = await draftOf(practice, [], { client });
    const again = await change('invoice_items', { ...line, invoice_id: other.invoice.id }, 'POST');
    expect(again).toMatchObject({
      ...{ status: 409, json: { code: 'PM023', details: expect.stringContaining(item.id) } },
    });
    await finalize(practice, invoice);
    await patch(practice, 'invoices', { id: invoice.id, status: 'void' });
    await make(practice, 'invoice_items', { ...line, invoice_id: other.invoice.id });
  });
});

describe('finalizing', () => {
  it('sets the next number and a due date, and books the totals', async () => {
    const own = await newPractice();
    const { invoice, client } = await draftOf(own, [100, 50.5]);
    const first = await finalize(own, invoice, { issued_on: '2026-02-27' });
    expect(first).toMatchObject({
      ...{ number: 'INV-00001', status: 'open', issued_on: '2026-02-27', due_on: '2026-03-13' },
      ...{ total: 150.5, amount_due: 150.5 },
    });
    const { id } = await make(own, 'billing_settings', {}).catch(() => ({ id: own.therapistId }));
    await patch(own, 'billing_settings', { id, invoice_prefix: '2026' });
    const second = await draftOf(own, [1]);
    expect(await finalize(own, second.invoice)).toMatchObject({ number: '2026-00002' });
    expect(await trialBalance(own)).toEqual({ accounts_receivable: 151.5, revenue: -151.5 });
    expect(await find(own, 'client_balances', client.id)).toMatchObject({
      ...{ receivable: 150.5, credit: 0, balance: 150.5 },
    });
  });

  it('goes on with the next number after a forced undo of the first settings, also when it is repeated', async () => {
    const own = await newPractice();
    const path = `billing_settings?id=eq.${own.therapistId}`;
    const set = await own.rest(path, { method: 'PATCH', body: { payment_days: 30 } });
    await openInvoice(own, [10]);
    const change_id = set.headers.get('change-id');
    for (const _ of ['once', 'again'])
      expect((await call(own, 'undo', { change_id, force: true })).status).toBe(200);
    expect((await own.rest(path)).json).toMatchObject([{ payment_days: 14, next_invoice_number: 2 }]);
    expect(await finalize(own, (await draftOf(own, [10])).invoice)).toMatchObject({ number: 'INV-00002' });
  });

  it('is final: every later change, deletion and undo is refused with PM021', async () => {
    const { invoice } = await draftOf(practice, [10]);
    const [item] = (await practice.rest(`invoice_items?invoice_id=eq.${invoice.id}`)).json as [
      { id: string },
    ];
    const answer = await call(practice, 'finalize_invoice', { invoice_id: invoice.id });
    const change_id = answer.headers.get('change-id');
    const refused = { status: 409, json: { code: 'PM021' } };
    expect(await call(practice, 'undo', { change_id })).toMatchObject(refused);
    expect(await call(practice, 'undo', { change_id, force: true })).toMatchObject(refused);
    expect(await change(`invoices?id=eq.${invoice.id}`, { memo: 'x' })).toMatchObject(refused);
    expect(await remove(practice, 'invoices', invoice.id)).toMatchObject(refused);
    expect(await change(`invoice_items?id=eq.${item.id}`, { quantity: 2 })).toMatchObject(refused);
    expect(await remove(practice, 'invoice_items', item.id)).toMatchObject(refused);
    const line = { invoice_id: invoice.id, description: 'x', unit_price: 1 };
    expect(await change('invoice_items', line, 'POST')).toMatchObject(refused);
    expect((await call(practice, 'finalize_invoice', { invoice_id: invoice.id })).json).toMatchObject({
      code: 'PM001',
    });
  });

  it('with If-Match needs the version that the caller has seen', async () => {
    const { invoice } = await draftOf(practice, [10]);
    const { headers } = await practice.rest(`invoices?id=eq.${invoice.id}`);
    const finalizing = (version: string) =>
      practice.rest('rpc/finalize_invoice', {
        method: 'POST',
        body: { invoice_id: invoice.id },
        headers: { 'if-match': version },
      });
    expect(await finalizing('"1"')).toMatchObject({ status: 412, json: { code: 'PM006' } });
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ status: 'draft' });
    expect((await finalizing(headers.get('etag') ?? '')).status).toBe(200);
  });

  it('needs an item', async () => {
    const { invoice } = await draftOf(practice, []);
    const answer = await call(practice, 'finalize_invoice', { invoice_id: invoice.id });
    expect(answer).toMatchObject({ status: 409, json: { code: 'PM001', details: 'It has no items.' } });
  });
});

describe('a void invoice', () => {
  it('reverses its ledger entries, and an undo books them again', async () => {
    const own = await newPractice();
    const { invoice, client } = await openInvoice(own, [80]);
    const voided = await own.rest(`invoices?id=eq.${invoice.id}`, {
      method: 'PATCH',
      body: { status: 'void' },
    });
    expect(voided.status).toBe(204);
    expect(await trialBalance(own)).toEqual({ accounts_receivable: 0, revenue: 0 });
    expect(await find(own, 'client_balances', client.id)).toBeUndefined();
    const undone = await call(own, 'undo', { change_id: voided.headers.get('change-id') });
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    expect(await trialBalance(own)).toEqual({ accounts_receivable: 80, revenue: -80 });
    expect(await find(own, 'client_balances', client.id)).toMatchObject({ receivable: 80 });
    expect((await own.rest('invoice_items?select=voided')).json).toEqual([{ voided: false }]);
  });
});
