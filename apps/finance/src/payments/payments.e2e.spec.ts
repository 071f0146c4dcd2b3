import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, memberOf, newPractice, patch, remove } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';
import { call, draftOf, finalize, openInvoice, pay, trialBalance } from '../testing/billing.js';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const post = (resource: string, body: object, by = practice) => by.rest(resource, { method: 'POST', body });

describe('a payment', () => {
  it('pays an invoice through an allocation, and the rest is credit of the client', async () => {
    const own = await newPractice();
    const { invoice, client } = await openInvoice(own, [100]);
    const payment = await pay(own, client, { amount: 150 });
    const made = await make(own, 'payment_allocations', { payment_id: payment.id, invoice_id: invoice.id });
    expect(made).toMatchObject({ amount: 100, client_id: client.id });
    expect(await find(own, 'invoices', invoice.id)).toMatchObject({
      ...{ status: 'paid', amount_paid: 100, amount_due: 0 },
    });
    expect(await find(own, 'payments', payment.id)).toMatchObject({ allocated: 100 });
    const balance = { receivable: 0, credit: 50, balance: -50 };
    expect(await find(own, 'client_balances', client.id)).toMatchObject(balance);
    const booked = { accounts_receivable: 0, cash: 150, prepaid: -50, revenue: -100 };
    expect(await trialBalance(own)).toEqual(booked);
  });

  it('no longer pays the invoice when its allocation is deleted or undone', async () => {
    const { invoice, client } = await openInvoice(practice, [100]);
    const payment = await pay(practice, client, { amount: 100 });
    const body = { payment_id: payment.id, invoice_id: invoice.id };
    const allocated = await post('payment_allocations', body);
    const undone = await call(practice, 'undo', { change_id: allocated.headers.get('change-id') });
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    const due = { status: 'open', amount_paid: 0, amount_due: 100 };
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject(due);
    expect(await find(practice, 'payments', payment.id)).toMatchObject({ allocated: 0 });
    const again = await call(practice, 'undo', { change_id: undone.headers.get('change-id') });
    expect([again.status, again.text]).toEqual([200, expect.any(String)]);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject({ status: 'paid', amount_due: 0 });
    const [allocation] = (await practice.rest(`payment_allocations?payment_id=eq.${payment.id}`)).json as [
      { id: string },
    ];
    expect((await remove(practice, 'payment_allocations', allocation.id)).status).toBe(204);
    expect(await find(practice, 'invoices', invoice.id)).toMatchObject(due);
    expect(await find(practice, 'client_balances', client.id)).toMatchObject({
      receivable: 100,
      credit: 100,
    });
  });

  it('with allocations cannot be deleted, and the error asks to delete the allocations first', async () => {
    const { invoice, client } = await openInvoice(practice, [100]);
    const payment = await pay(practice, client, { amount: 150 });
    const { id } = await make(practice, 'payment_allocations', {
      ...{ payment_id: payment.id, invoice_id: invoice.id },
    });
    const refused = { code: 'PM022', hint: 'Delete its payment_allocations first.' };
    const expected = { status: 409, json: { ...refused, details: 'Allocated: 100.00.' } };
    expect(await remove(practice, 'payments', payment.id)).toMatchObject(expected);
    expect((await remove(practice, 'payment_allocations', id)).status).toBe(204);
    expect((await remove(practice, 'payments', payment.id)).status).toBe(204);
  });

  it('is recorded once for each external_id', async () => {
    const { client } = await draftOf(practice, []);
    await pay(practice, client, { amount: 10, external_id: 'tx-1' });
    const body = {
      client_id: client.id,
      date: '2026-03-01',
      amount: 10,
      method: 'card',
      external_id: 'tx-1',
    };
    expect(await post('payments', body)).toMatchObject({ status: 409, json: { code: '23505' } });
  });

  it('cannot be allocated beyond its amount or the amount due, or to another client', async () => {
    const { invoice, client } = await openInvoice(practice, [100]);
    const payment = await pay(practice, client, { amount: 60 });
    const body = { payment_id: payment.id, invoice_id: invoice.id };
    const refused = { status: 409, json: { code: 'PM022' } };
    expect(await post('payment_allocations', { ...body, amount: 60.01 })).toMatchObject(refused);
    const large = await pay(practice, client, { amount: 500 });
    expect(await post('payment_allocations', { ...body, payment_id: large.id, amount: 101 })).toMatchObject(
      refused,
    );
    const other = await draftOf(practice, []);
    const foreign = await pay(practice, other.client, { amount: 60 });
    expect(await post('payment_allocations', { ...body, payment_id: foreign.id })).toMatchObject({
      ...{ status: 409, json: { code: '23503' } },
    });
  });

  it.each([-50, 0])('is never allocated by an amount of %d, even by a change', async (amount) => {
    const { invoice, client } = await openInvoice(practice, [100]);
    const payment = await pay(practice, client, { amount: 50 });
    const body = { payment_id: payment.id, invoice_id: invoice.id };
    const refused = { status: 400, json: { code: '23514', details: 'amount must be at least 0.01.' } };
    expect(await post('payment_allocations', { ...body, amount })).toMatchObject(refused);
    const { id } = await make(practice, 'payment_allocations', { ...body, amount: 20 });
    const changed = await practice.rest(`payment_allocations?id=eq.${id}`, {
      method: 'PATCH',
      body: { amount },
    });
    expect(changed).toMatchObject(refused);
    const balance = { receivable: 80, credit: 30 };
    expect(await find(practice, 'client_balances', client.id)).toMatchObject(balance);
  });

  it('pays no more of an invoice that is uncollectible, even by a change, but can be released', async () => {
    const { invoice, client } = await openInvoice(practice, [100]);
    const payment = await pay(practice, client, { amount: 100 });
    const body = { payment_id: payment.id, invoice_id: invoice.id, amount: 20 };
    const { id } = await make(practice, 'payment_allocations', body);
    await patch(practice, 'invoices', { id: invoice.id, status: 'uncollectible' });
    const refused = { status: 409, json: { code: 'PM001' } };
    expect(await post('payment_allocations', body)).toMatchObject(refused);
    const path = `payment_allocations?id=eq.${id}`;
    expect(await practice.rest(path, { method: 'PATCH', body: { amount: 25 } })).toMatchObject(refused);
    expect((await remove(practice, 'payment_allocations', id)).status).toBe(204);
    const balance = { receivable: 0, credit: 100, balance: -100 };
    expect(await find(practice, 'client_balances', client.id)).toMatchObject(balance);
  });

  it('can be released from an uncollectible invoice of a client whose account was settled', async () => {
    const { invoice, client } = await openInvoice(practice, [100]);
    const payment = await pay(practice, client, { amount: 20 });
    const body = { payment_id: payment.id, invoice_id: invoice.id };
    const { id } = await make(practice, 'payment_allocations', body);
    await patch(practice, 'invoices', { id: invoice.id, status: 'uncollectible' });
    expect(await find(practice, 'client_balances', client.id)).toBeUndefined();
    expect((await remove(practice, 'payment_allocations', id)).status).toBe(204);
    const balance = { receivable: 0, credit: 20, balance: -20 };
    expect(await find(practice, 'client_balances', client.id)).toMatchObject(balance);
  });

  it('with a negative amount refunds credit, but not more than the client has', async () => {
    const { client } = await draftOf(practice, []);
    await pay(practice, client, { amount: 30 });
    const back = { client_id: client.id, date: '2026-03-02', method: 'transfer' };
    const refused = { status: 409, json: { code: 'PM022' } };
    expect(await post('payments', { ...back, amount: -30.01 })).toMatchObject(refused);
    await make(practice, 'payments', { ...back, amount: -30 });
    expect(await find(practice, 'client_balances', client.id)).toBeUndefined();
  });
});

describe('everything that a member did', () => {
  /** The member has paid an invoice, and undone that. */
  async function paidAndUndone() {
    const own = await newPractice();
    const { member } = await memberOf(own, 'billing');
    const { invoice, client } = await openInvoice(own, [100]);
    const payment = await pay(own, client, { amount: 100 });
    const undo = ({ headers }: Answer): Promise<Answer> =>
      call(member, 'undo', { change_id: headers.get('change-id') });
    const body = { payment_id: payment.id, invoice_id: invoice.id };
    const undone = await undo(await post('payment_allocations', body, member));
    const undoAll = (more: object = {}): Promise<Answer> =>
      call(own, 'undo', { actor_name: member.email, since: '2000-01-01', ...more });
    return { own, invoice, undo, undone, undoAll };
  }

  it('is undone once, although the member has undone and redone it', async () => {
    const { own, invoice, undo, undone, undoAll } = await paidAndUndone();
    await undo(undone);
    expect(await find(own, 'invoices', invoice.id)).toMatchObject({ status: 'paid' });
    const all = await undoAll();
    expect([all.status, all.text]).toEqual([200, expect.any(String)]);
    const due = { status: 'open', amount_paid: 0, amount_due: 100 };
    expect(await find(own, 'invoices', invoice.id)).toMatchObject(due);
    expect((await own.rest('payment_allocations')).json).toEqual([]);
  });

  it('is nothing if the member has undone it, so a void invoice stays void', async () => {
    const { own, invoice, undoAll } = await paidAndUndone();
    await patch(own, 'invoices', { id: invoice.id, status: 'void' });
    for (const force of [false, true]) {
      const { status, text } = await undoAll({ force });
      expect([status, text]).toEqual([200, '[]']);
    }
    expect(await find(own, 'invoices', invoice.id)).toMatchObject({ status: 'void', amount_due: 100 });
  });
});

describe('a credit note', () => {
  it('reduces the amount due, then becomes credit; it has its own numbers and is final', async () => {
    const own = await newPractice();
    const { id: tax_id } = await make(own, 'taxes', { name: 'VAT', rate: 19 });
    const { invoice, client } = await draftOf(own, [100], { tax_id });
    await finalize(own, invoice);
    const payment = await pay(own, client, { amount: 100 });
    await make(own, 'payment_allocations', { payment_id: payment.id, invoice_id: invoice.id });
    const body = { invoice_id: invoice.id, reason: 'One session less', total: 59.5 };
    const answer = await own.rest('credit_notes', {
      ...{ method: 'POST', body, headers: { prefer: 'return=representation' } },
    });
    expect(answer.json).toMatchObject([
      { number: 'CN-00001', subtotal: 50, tax_total: 9.5, applied: 19, credited: 40.5, client_id: client.id },
    ]);
    expect(await find(own, 'invoices', invoice.id)).toMatchObject({
      ...{ status: 'paid', amount_credited: 59.5, amount_due: 0 },
    });
    const change_id = answer.headers.get('change-id');
    const final = { status: 409, json: { code: 'PM021' } };
    expect(await call(own, 'undo', { change_id })).toMatchObject(final);
    const tooMuch = await own.rest('credit_notes', { method: 'POST', body: { ...body, total: 60 } });
    expect(tooMuch).toMatchObject({ status: 409, json: { code: 'PM022' } });
    expect(await trialBalance(own)).toEqual({
      ...{ accounts_receivable: 0, cash: 100, prepaid: -40.5, revenue: -50, tax: -9.5 },
    });
  });

  it('leaves credit that pays another invoice, but no more than there is', async () => {
    const own = await newPractice();
    const { invoice, client } = await openInvoice(own, [100]);
    const payment = await pay(own, client, { amount: 100 });
    await make(own, 'payment_allocations', { payment_id: payment.id, invoice_id: invoice.id });
    await make(own, 'credit_notes', { invoice_id: invoice.id, reason: 'One less', total: 60 });
    const { invoice: next } = await draftOf(own, [110], { client });
    await finalize(own, next);
    const body = { invoice_id: next.id };
    const tooMuch = { status: 409, json: { code: 'PM022' } };
    expect(await post('payment_allocations', { ...body, amount: 60.01 }, own)).toMatchObject(tooMuch);
    const made = await make(own, 'payment_allocations', body);
    expect(made).toMatchObject({ amount: 60, payment_id: null, client_id: client.id });
    expect(await find(own, 'invoices', next.id)).toMatchObject({ amount_paid: 60, amount_due: 50 });
    const balance = { receivable: 50, credit: 0, balance: 50 };
    expect(await find(own, 'client_balances', client.id)).toMatchObject(balance);
    for (const more of [{ amount: 0.01 }, {}])
      expect(await post('payment_allocations', { ...body, ...more }, own)).toMatchObject({
        ...{ status: 409, json: { code: 'PM022', details: 'Credit that pays no invoice yet: 0.00.' } },
      });
    expect((await remove(own, 'payment_allocations', made.id)).status).toBe(204);
    expect(await find(own, 'client_balances', client.id)).toMatchObject({ receivable: 110, credit: 60 });
  });
});

describe('roles', () => {
  it('front desk records payments and reads invoices, which it cannot write', async () => {
    const own = await newPractice();
    const { member } = await memberOf(own, 'front_desk');
    const { invoice, client } = await openInvoice(own, [40]);
    const payment = await pay(member, client, { amount: 40 });
    await make(member, 'payment_allocations', { payment_id: payment.id, invoice_id: invoice.id });
    expect(await find(member, 'invoices', invoice.id)).toMatchObject({ status: 'paid' });
    const forbidden = { status: 403, json: { code: '42501' } };
    expect(await post('invoices', { client_id: client.id }, member)).toMatchObject(forbidden);
    const body = { status: 'void' };
    expect(await member.rest(`invoices?id=eq.${invoice.id}`, { method: 'PATCH', body })).toMatchObject(
      forbidden,
    );
    expect(await call(member, 'finalize_invoice', { invoice_id: invoice.id })).toMatchObject(forbidden);
    expect(await member.rest('ledger_entries')).toMatchObject(forbidden);
    expect(await remove(member, 'payments', payment.id)).toMatchObject(forbidden);
  });

  it('front desk can undo its own allocation, but not changes of the invoice by others', async () => {
    const own = await newPractice();
    const { member } = await memberOf(own, 'front_desk');
    const { invoice, client } = await openInvoice(own, [40]);
    const payment = await pay(member, client, { amount: 40 });
    const body = { payment_id: payment.id, invoice_id: invoice.id };
    const allocated = await post('payment_allocations', body, member);
    const undo = (by: Practice, { headers }: Answer) =>
      call(by, 'undo', { change_id: headers.get('change-id') });
    const undone = await undo(member, allocated);
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    const open = { status: 'open', amount_paid: 0, amount_due: 40 };
    expect(await find(own, 'invoices', invoice.id)).toMatchObject(open);
    expect(await find(own, 'payments', payment.id)).toMatchObject({ allocated: 0 });
    const path = `invoices?id=eq.${invoice.id}`;
    const lost = await own.rest(path, { method: 'PATCH', body: { status: 'uncollectible' } });
    expect(await undo(member, lost)).toMatchObject({ status: 403, json: { code: '42501' } });
    expect(await find(own, 'invoices', invoice.id)).toMatchObject({ status: 'uncollectible' });
    expect((await undo(own, lost)).status).toBe(200);
    expect((await undo(member, undone)).status).toBe(200);
    expect(await find(own, 'invoices', invoice.id)).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  it('billing writes invoices, payments and allocations', async () => {
    const own = await newPractice();
    const { member } = await memberOf(own, 'billing');
    const client = await make(own, 'clients', { name: 'Ada' });
    const { invoice } = await draftOf(member, [40], { client });
    await finalize(member, invoice);
    const payment = await pay(member, client, { amount: 40 });
    await make(member, 'payment_allocations', { payment_id: payment.id, invoice_id: invoice.id });
    expect(await trialBalance(member)).toMatchObject({ cash: 40, revenue: -40 });
  });

  it('read-only members see no payments', async () => {
    const own = await newPractice();
    const { member } = await memberOf(own, 'read_only');
    expect(await member.rest('payments')).toMatchObject({ status: 403, json: { code: '42501' } });
  });
});
