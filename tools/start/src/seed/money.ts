// The invoices and payments of the demo practice: the appointments of the last half-year are billed, the first drafts are finalized, and
// most of these invoices are paid.
import { demand, type ApiAccess } from './api.js';
import { dayAfter } from './day.js';

interface Draft {
  readonly invoice_id: string;
  readonly client_id: string;
  readonly total: number;
}

/** Days that one call bills. */
const QUARTER = 90;
const FORTNIGHT = 14;
const DAYS_TO_PAY = 9;
/** A practice may write 30 times a minute, and the earlier records need some of these writes. */
const FINALIZED = 12;
/** Every fourth invoice is not paid yet. */
const UNPAID_EVERY = 4;

/** Adds invoices and payments unless the practice has invoices. @returns how many records it added */
export async function addMoney(access: ApiAccess, today: string): Promise<number> {
  const found = (await demand(access, '/rest/v1/invoices?select=id&limit=1')) as unknown[];
  if (found.length > 0) return 0;
  const drafts: Draft[] = [];
  for (const quarter of [2, 1]) {
    const from = dayAfter(today, -quarter * QUARTER);
    const range = { from, to: dayAfter(from, QUARTER - 1) };
    drafts.push(...((await demand(access, '/rest/v1/rpc/bill_appointments', range)) as Draft[]));
  }
  // Two a month, the last one two weeks ago.
  const open = drafts.slice(0, FINALIZED).map((draft, index) => ({
    ...draft,
    issued_on: dayAfter(today, (index - FINALIZED) * FORTNIGHT),
  }));
  for (const { invoice_id, issued_on } of open)
    await demand(access, '/rest/v1/rpc/finalize_invoice', { invoice_id, issued_on });
  const paid = open.filter((_, index) => index % UNPAID_EVERY !== 0);
  await pay(access, paid);
  return drafts.length + 2 * paid.length;
}

async function pay(access: ApiAccess, invoices: readonly (Draft & { issued_on: string })[]): Promise<void> {
  const payments = invoices.map(({ invoice_id, client_id, total: amount, issued_on }) => ({
    ...{ id: invoice_id, client_id, date: dayAfter(issued_on, DAYS_TO_PAY), amount },
    ...{ method: 'transfer', external_id: `demo-${invoice_id}` },
  }));
  await demand(access, '/rest/v1/payments', payments);
  const allocations = invoices.map(({ invoice_id }) => ({ payment_id: invoice_id, invoice_id }));
  await demand(access, '/rest/v1/payment_allocations', allocations);
}
