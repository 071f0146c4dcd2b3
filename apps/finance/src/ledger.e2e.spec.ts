import { describe, expect, it } from '@jest/globals';
import { make, newPractice, patch, remove, type Answer } from '@practice/testing';
import { call, draftOf, finalize, openInvoice, pay, trialBalance } from './testing/billing.js';

describe('the ledger', () => {
  it('has a trial balance for a past instant, which later events do not change', async () => {
    const practice = await newPractice();
    const { invoice, client } = await openInvoice(practice, [100]);
    const rent = await make(practice, 'expenses', { date: '2026-01-31', amount: 850 });
    const [last] = (await practice.rest('ledger_entries?select=at&order=position.desc&limit=1')).json as [
      { at: string },
    ];
    const then = `&as_of=${encodeURIComponent(last.at)}`;
    const closed = { accounts_receivable: 100, cash: -850, expenses: 850, revenue: -100 };
    expect(await trialBalance(practice, then)).toEqual(closed);
    await patch(practice, 'expenses', { id: rent.id, amount: 800 });
    const payment = await pay(practice, client, { amount: 100 });
    await make(practice, 'payment_allocations', { payment_id: payment.id, invoice_id: invoice.id });
    await remove(practice, 'expenses', rent.id);
    expect(await trialBalance(practice, then)).toEqual(closed);
    expect(await trialBalance(practice)).toEqual({
      ...{ accounts_receivable: 0, cash: 100, expenses: 0, prepaid: 0, revenue: -100 },
    });
  });

  it('has corrections of payments and expenses on their dates, and later changes of invoices on their own day', async () => {
    const practice = await newPractice();
    const change = (path: string, method: string, body?: object) =>
      practice.rest(path, { method, ...(body && { body }) });
    const undo = ({ headers }: Answer) => call(practice, 'undo', { change_id: headers.get('change-id') });
    const { invoice, client } = await draftOf(practice, [80]);
    await finalize(practice, invoice, { issued_on: '2026-01-31' });
    await undo(await change(`invoices?id=eq.${invoice.id}`, 'PATCH', { status: 'void' }));
    const rent = await make(practice, 'expenses', { date: '2026-01-31', amount: 850 });
    await patch(practice, 'expenses', { id: rent.id, amount: 800 });
    await patch(practice, 'expenses', { id: rent.id, date: '2026-02-01' });
    const payment = await pay(practice, client, { amount: 50 });
    await undo(await change(`payments?id=eq.${payment.id}`, 'DELETE'));
    const months = ['2026-01', '2026-02', '2026-03'];
    expect(await Promise.all(months.map((month) => trialBalance(practice, `&month=eq.${month}`)))).toEqual([
      { accounts_receivable: 80, cash: 0, expenses: 0, revenue: -80 },
      { cash: -800, expenses: 800 },
      { cash: 50, prepaid: -50 },
    ]);
  });

  it('can be read as totals by month and as CSV', async () => {
    const practice = await newPractice();
    for (const [issued_on, price] of [
      ['2026-01-31', 100],
      ['2026-02-01', 20],
      ['2026-02-28', 3],
    ] as const)
      await finalize(practice, (await draftOf(practice, [price])).invoice, { issued_on });
    const months = 'ledger_entries?select=month,revenue:credit.sum()&account=eq.revenue&order=month';
    expect((await practice.rest(months)).json).toEqual([
      { month: '2026-01', revenue: 100 },
      { month: '2026-02', revenue: 23 },
    ]);
    const csv = await practice.rest(
      'ledger_entries?select=date,account,debit,credit&order=position,account&date=eq.2026-01-31',
      { headers: { accept: 'text/csv' } },
    );
    expect(csv.text).toBe(
      'date,account,debit,credit\n2026-01-31,accounts_receivable,100.00,0.00\n2026-01-31,revenue,0.00,100.00',
    );
  });

  it('cannot be written', async () => {
    const practice = await newPractice();
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect((await practice.rest('ledger_entries', { method, body: {} })).status).toBe(405);
    expect((await practice.rest('client_balances', { method: 'POST', body: {} })).status).toBe(405);
  });
});
