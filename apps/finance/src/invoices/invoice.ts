// The rules of an invoice: the totals of its items until it is finalized, and the effects of its status.

import { finalized, invoiceItems, invoices, packages } from '@practice/contracts';
import type { Invoice, InvoiceStatus } from '@practice/contracts';
import { isZero, problemFor, reject } from '@practice/core';
import { changesOf, deciderOf, dependent, lookup, transition } from '@practice/resource';
import type { Changed, Changes, EventOf } from '@practice/resource';
import { packageStatus } from '../packages/package.js';
import { isTakenBack } from '../credit-notes/taken-back.js';

type Invoices = typeof invoices;

export const invoice = deciderOf(invoices, {
  kept: ['status'],

  lookups: ({ id }) => [lookup(invoiceItems, 'invoice_id', [id]), lookup(packages, 'invoice_id', [id])],

  change: changed,
  remove: ({ status }) => (status === 'draft' ? undefined : reject(finalized)),

  dependents({ before, after }, context) {
    if (before === null) return [];
    const items = context.rows(invoiceItems, 'invoice_id', before.id);
    if (after === null) return items.map(({ id }) => dependent(invoiceItems, id, { kind: 'delete' }));
    const bought = context.rows(packages, 'invoice_id', before.id);
    return [
      ...changesOf(invoiceItems, items, { voided: isTakenBack(after) }),
      ...changesOf(packages, bought, { status: packageStatus(after) }),
    ];
  },
});

function changed(state: Invoice, { changes, isUndo }: Changed<Invoices>): EventOf<Invoices>[] {
  const { status, due_on, memo } = changes;
  if (changes.amount_due !== undefined) return settled(state, changes);
  if (changes.total !== undefined || changes.practitioner_ids !== undefined) {
    const { subtotal, tax_total, total, practitioner_ids } = { ...state, ...changes };
    return [{ type: 'InvoiceTotalled', data: { subtotal, tax_total, total, practitioner_ids } }];
  }
  const own = { ...(due_on === undefined ? {} : { due_on }), ...(memo === undefined ? {} : { memo }) };
  return [...draftEvents(state, own), ...(status === undefined ? [] : statusEvents(state, status, isUndo))];
}

function draftEvents(state: Invoice, data: Pick<Changes<Invoices>, 'due_on' | 'memo'>): EventOf<Invoices>[] {
  if (Object.keys(data).length === 0) return [];
  if (state.status !== 'draft') reject(finalized);
  return [{ type: 'InvoiceDraftChanged', data }];
}

/** The events for changed amounts (paid and credited), and for the status that follows from them. */
function settled(state: Invoice, changes: Changes<Invoices>): EventOf<Invoices>[] {
  const { amount_paid, amount_credited, amount_due } = { ...state, ...changes };
  const data = { amount_paid, amount_credited, amount_due };
  const isPaid = isZero(amount_due);
  return [
    { type: 'InvoiceSettled', data },
    ...(isPaid && state.status === 'open'
      ? [{ type: 'InvoicePaid', data: { status: 'paid' } } as const]
      : []),
    ...(!isPaid && state.status === 'paid'
      ? [{ type: 'InvoiceReopened', data: { status: 'open' } } as const]
      : []),
  ];
}

/** @throws {Rejection} PM001 */
function statusEvents(state: Invoice, to: InvoiceStatus, isUndo: boolean): EventOf<Invoices>[] {
  const { status: from } = state;
  if (to === 'draft') reject(finalized);
  // Whether an invoice that is not void is paid follows from its allocations and credit notes, even in an undo.
  if (from === to || (isUndo && from !== 'void' && (to === 'paid' || from === 'paid'))) return [];
  const type = eventOf(from, to, isUndo);
  if (to === 'void') checkUnpaid(state);
  return [{ type, data: { status: to } }];
}

/** @throws {Rejection} PM001 */
function eventOf(from: InvoiceStatus, to: InvoiceStatus, isUndo: boolean) {
  if (from === 'draft') reject(isDraft);
  if (isUndo && from === 'void' && to === 'paid') return 'InvoicePaid';
  return isUndo && from === 'void' && to === 'open' ? 'InvoiceReopened' : transition(invoices, from, to);
}

/** @throws {Rejection} PM001 */
function checkUnpaid({ amount_paid: paid, amount_credited: credited }: Invoice): void {
  if (!isZero(paid) || !isZero(credited)) reject(hasPayments);
}

const isDraft = problemFor('PM001', {
  message: 'a draft is finalized first',
  hint: 'Call rpc/finalize_invoice.',
});

const hasPayments = problemFor('PM001', {
  message: 'an invoice with payments or credit notes cannot become void',
  hint: 'Delete its payment_allocations, or issue a credit note.',
});
