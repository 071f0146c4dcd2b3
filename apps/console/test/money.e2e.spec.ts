// Invoices in the console: a draft and its lines, payments, credit notes, and invoices that stay unpaid.

import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { make, memberOf, rowsOf, write } from '@practice/testing';
import type { Page } from 'playwright-core';
import { consoleUrl, furnished, signedIn, type Practice, inChromium } from './console.js';

inChromium(() => {
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const shows = (page: Page, status: string): Promise<void> =>
    page.locator('header .badge', { hasText: status }).waitFor();
  const row = async (person: Practice, columns: string): Promise<unknown> =>
    (await rowsOf(person, `invoices?select=${columns}&order=created_at`))[0];

  it('writes a draft, finalizes it, takes payments for it and corrects it', async () => {
    const person = await furnished();
    await make(person, 'taxes', { name: 'VAT 10 %', rate: 10 });
    const { page, errors, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/money`);
    await press(page, 'New invoice');
    await page.getByRole('option', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { name: 'Draft' }).waitFor();

    await press(page, 'New line');
    await page.getByLabel('Service').selectOption('Individual therapy');
    await page.getByLabel('Quantity').fill('2');
    await page.getByLabel('Tax').selectOption('VAT 10 %');
    await press(page, 'Save');
    await page.getByRole('cell', { name: '€242.00' }).waitFor();
    await press(page, 'New line');
    await page.getByLabel('Text', { exact: true }).fill('A book');
    await page.getByLabel('Price in EUR').fill('30');
    await press(page, 'Save');
    await page.getByRole('cell', { name: '€272.00' }).waitFor();
    await press(page, 'Change A book');
    await page.getByLabel('Price in EUR').fill('20');
    // The dialog does not take back the change that another person makes while it is open.
    const other = { method: 'PATCH', body: { unit_price: 25 } };
    await write(person, 'invoice_items?description=eq.A book', other);
    await page.getByRole('cell', { name: '€267.00', includeHidden: true }).waitFor();
    await press(page, 'Save');
    await page.getByText('Not done: Saved A book').waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'Change A book');
    await page.getByLabel('Price in EUR').fill('20');
    await press(page, 'Save');
    await page.getByRole('cell', { name: '€262.00' }).waitFor();
    await press(page, 'Change A book');
    await press(page, 'Delete the line');
    await page.getByRole('cell', { name: '€262.00' }).waitFor({ state: 'detached' });
    expect(await row(person, 'status,total')).toEqual({ status: 'draft', total: 242 });

    await press(page, 'Finalize');
    await page.getByRole('heading', { name: 'INV-00001' }).waitFor();
    await press(page, 'Payment…');
    await page.getByLabel('Amount in EUR').fill('100');
    await press(page, 'Take the payment');
    await page.getByRole('cell', { name: 'Paid by card' }).waitFor();
    expect(await row(person, 'status,amount_due')).toEqual({ status: 'open', amount_due: 142 });
    // An invoice with a payment cannot be voided: a credit note corrects it.
    await page.getByRole('button', { name: 'Void', exact: true }).waitFor({ state: 'detached' });
    await press(page, 'Credit note…');
    await page.getByLabel('Amount in EUR, with tax').fill('22');
    await page.getByLabel('Reason').fill('Half an hour less');
    await press(page, 'Issue the credit note');
    await page.getByRole('cell', { name: /Half an hour less/ }).waitFor();
    expect(await row(person, 'amount_credited,amount_due')).toEqual({
      ...{ amount_credited: 22, amount_due: 120 },
    });
    await press(page, 'Payment…');
    await press(page, 'Take the payment');
    await shows(page, 'paid');
    // One undo removes both the payment and its allocation. Older toasts may still be there, and the last one may not be there yet.
    const last = page.locator('.toast').filter({ hasText: /^\s*Payment of/, hasNotText: '€100.00' });
    await last.getByRole('button', { name: 'Undo' }).click();
    await shows(page, 'open');
    expect(await rowsOf(person, 'payments?select=amount')).toEqual([{ amount: 100 }]);
    await page.getByRole('button', { name: 'Take back' }).nth(1).waitFor({ state: 'detached' });
    await press(page, 'Take back');
    await page.getByRole('cell', { name: 'Paid by card' }).waitFor({ state: 'detached' });
    expect(await row(person, 'amount_due')).toEqual({ amount_due: 220 });
    expect(errors).toEqual(['412 /rest/v1/invoice_items']);
    await context.close();
  });

  it('voids an invoice, marks another as uncollectible, and shows the front desk no steps that it may not take', async () => {
    const person = await furnished();
    const { member } = await memberOf(person, 'front_desk');
    const [client_id] = person.clients;
    const ids: string[] = [];
    for (const unit_price of [50, 60, 70]) {
      const { id } = await make(person, 'invoices', { client_id });
      await make(person, 'invoice_items', { invoice_id: id, description: 'A session', unit_price });
      await write(person, 'rpc/finalize_invoice', { method: 'POST', body: { invoice_id: id } });
      ids.push(id);
    }
    const { page, errors, context } = await signedIn(person);
    await page.goto(`${consoleUrl()}#/money/${ids[0]}`);
    await press(page, 'Void');
    await shows(page, 'void');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: 'Void', exact: true }).waitFor();
    await page.goto(`${consoleUrl()}#/money/${ids[1]}`);
    await page.getByRole('cell', { name: '€60.00' }).first().waitFor();
    await press(page, 'Uncollectible');
    await press(page, 'Open again');
    await page.getByRole('button', { name: 'Uncollectible' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();

    const desk = await signedIn(member);
    await desk.page.goto(`${consoleUrl()}#/money/${ids[2]}`);
    await desk.page.getByRole('button', { name: 'Payment…' }).waitFor();
    const actions = desk.page.getByRole('group', { name: 'Actions' });
    expect(await actions.getByRole('button').allTextContents()).toEqual(['Payment…']);
    await press(desk.page, 'Payment…');
    await press(desk.page, 'Take the payment');
    await shows(desk.page, 'paid');
    expect(desk.errors).toEqual([]);
    await desk.context.close();
  });

  it('begins one invoice for a bookkeeper, however often Enter is pressed', async () => {
    const person = await furnished();
    const { member } = await memberOf(person, 'billing');
    const { page, context, errors } = await signedIn(member);
    await page.goto(`${consoleUrl()}#/money`);
    await press(page, 'New invoice');
    await page.getByRole('combobox', { name: 'For' }).fill('Grace');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    expect(await rowsOf(person, 'invoices?select=clients(name)')).toEqual([
      { clients: { name: 'Grace Hopper' } },
    ]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('shows the revenue of each month to scale', async () => {
    const { page, context } = await signedIn(await furnished());
    const now = new Date();
    const months = [0, 1].map((before) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before)).toISOString().slice(0, 7),
    );
    // Revenue has the month in which it is entered, so the answer is given here.
    const json = months.map((month, index) => ({ month, credit: 1500 - 200 * index, debit: 500 }));
    await context.route('**/rest/v1/ledger_entries*', (route) => route.fulfill({ json }));
    await page.goto(`${consoleUrl()}#/money`);
    await page.getByRole('img', { name: '1,000.00' }).waitFor();
    const heights = await page
      .locator('.bar i')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
    expect(heights.slice(-2)).toEqual([96, 120]);
    await context.close();
  });

  it('shows the chart and the overdue invoices of a past day', async () => {
    const person = await furnished();
    const { page, context, errors } = await signedIn(person);
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const invoice = {
      id: randomUUID(),
      number: 'INV-1',
      status: 'open',
      total: 10,
      amount_due: 10,
      clients: null,
    };
    await context.route('**/rest/v1/invoices?*', (route) =>
      route.fulfill({ json: [{ ...invoice, issued_on: day(60), due_on: day(20) }] }),
    );
    const months: (string | null)[] = [];
    await context.route('**/rest/v1/ledger_entries*', (route) => {
      months.push(new URL(route.request().url()).searchParams.get('month'));
      return route.fulfill({ json: [{ month: day(60).slice(0, 7), credit: 1500, debit: 500 }] });
    });
    await page.goto(`${consoleUrl()}#/money`);
    await page.getByText('overdue', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go back in time' }).click();
    await page.getByRole('button', { name: 'A month ago' }).click();
    await page.getByText('overdue', { exact: true }).waitFor({ state: 'detached' });
    const past = await page.locator('.bar > :last-child').allTextContents();
    expect(past.at(-1)).toBe(
      new Date(`${day(30)}T00:00:00Z`).toLocaleDateString('en', { month: 'short', timeZone: 'UTC' }),
    );
    expect([months[0], months.at(-1)]).toEqual([`lte.${day(0).slice(0, 7)}`, `lte.${day(30).slice(0, 7)}`]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
