// The rules of an invoice: what its items add up to until it is finalized, and which states may follow then.

import { billingSettings, finalized, invoiceItems, invoices, packages } from '@practice/contracts';
import type { Invoice, InvoiceStatus } from '@practice/contracts';
import { isNegative, isZero, problemFor, reject } from '@practice/core';
import { deciderOf, dependent, fromStart, lookup, nextNumber } from '@practice/resource';
import type { Changed, Changes, Command, Commanded, DependentCommand } from '@practice/resource';
import type { EventOf, EventTypesWith, LookupContext } from '@practice/resource';
import { addDays } from '@practice/zone';
import { packageStatus } from '../packages/package.js';

type Invoices = typeof invoices;
type StatusEvent = EventTypesWith<Invoices, 'status'>;

/** The states that a caller may give a finalized invoice, each with its event. */
const transitions: Record<InvoiceStatus, Partial<Record<InvoiceStatus, StatusEvent>>> = {
  draft: {},
  open: { void: 'InvoiceVoided', uncollectible: 'InvoiceMarkedUncollectible' },
  uncollectible: { open: 'InvoiceReopened' },
  paid: {},
  void: {},
};

/** The same for an undo. */
const undoing: typeof transitions = { ...transitions, void: { open: 'InvoiceReopened' } };

export const invoice = deciderOf(invoices, {
  kept: ['status'],
  enforces: ['invoices_number_key'],

  lookups: ({ id }, { kind }) =>
    kind === 'create' ? [] : [lookup(invoiceItems, 'invoice_id', [id]), lookup(packages, 'invoice_id', [id])],

  change: (state, change, context) => changed(state, change, context),
  remove: ({ status }) => (status === 'draft' ? undefined : reject(finalized)),
  dependents: (commanded, context) => dependentsOf(commanded, context),
});

function changed(
  state: Invoice,
  { changes, isUndo }: Changed<Invoices>,
  context: LookupContext,
): EventOf<Invoices>[] {
  const { status, total, practitioner_ids: practitioners, amount_due: due } = changes;
  const { issued_on: issuedOn, due_on, memo } = changes;
  if (issuedOn != null) return finalizedOn(state, { ...changes, issued_on: issuedOn }, context);
  if (due !== undefined) return settled(state, changes);
  if (total !== undefined || practitioners !== undefined) {
    const { practitioner_ids, ...next } = { ...state, ...changes };
    return [{ type: 'InvoiceTotalled', data: { ...totalsOf(next), practitioner_ids } }];
  }
  const own = { ...(due_on === undefined ? {} : { due_on }), ...(memo === undefined ? {} : { memo }) };
  return [...draftEvents(state, own), ...(status === undefined ? [] : statusEvents(state, status, isUndo))];
}

function draftEvents(state: Invoice, data: Pick<Changes<Invoices>, 'due_on' | 'memo'>): EventOf<Invoices>[] {
  if (Object.keys(data).length === 0) return [];
  if (state.status !== 'draft') reject(finalized);
  return [{ type: 'InvoiceDraftChanged', data }];
}

/** @throws {Rejection} PM001 unless it is a draft with items that add up to an amount to pay */
function finalizedOn(
  state: Invoice,
  { issued_on, due_on }: Changes<Invoices> & Pick<Invoice, 'issued_on'>,
  context: LookupContext,
): EventOf<Invoices>[] {
  const { id, therapist_id: practice, status, subtotal, tax_total, total } = state;
  if (status !== 'draft') reject(notFinalized(`The invoice is ${status}.`));
  if (context.rows(invoiceItems, 'invoice_id', id).length === 0) reject(notFinalized('It has no items.'));
  if (isNegative(total)) reject(notFinalized(`Its total is ${total}.`));
  const days = fromStart(billingSettings, practice, context).payment_days;
  const due = due_on ?? state.due_on ?? addDays(issued_on as string, days);
  if (due < (issued_on as string)) reject(notFinalized('due_on is before issued_on.'));
  const number = nextNumber(invoices, practice, context);
  const data = {
    ...({ status: 'open', number, issued_on, due_on: due } as const),
    ...{ subtotal, tax_total, total, amount_due: total },
  };
  const paid = { type: 'InvoicePaid', data: { status: 'paid' } } as const;
  return [{ type: 'InvoiceFinalized', data }, ...(isZero(total) ? [paid] : [])];
}

/** The amounts that are paid and credited, and the state that follows. */
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
  // Whether it is paid follows from its allocations and credit notes, also in an undo.
  if (from === to || (isUndo && (to === 'paid' || from === 'paid'))) return [];
  const type = (isUndo ? undoing : transitions)[from][to] ?? reject(notAllowed(from, to));
  if (to === 'void') checkUnpaid(state);
  return [{ type, data: { status: to } }];
}

/** @throws {Rejection} PM001 */
function checkUnpaid({ amount_paid: paid, amount_credited: credited }: Invoice): void {
  if (!isZero(paid) || !isZero(credited)) reject(hasPayments);
}

function dependentsOf(
  { command, before, after }: Commanded<Command<Invoices>, Invoice>,
  context: LookupContext,
): readonly DependentCommand[] {
  if (before === null) return [];
  const { id } = before;
  const items = context.rows(invoiceItems, 'invoice_id', id);
  if (command.kind === 'delete' || after === null)
    return items.map((item) => dependent(invoiceItems, item.id, { kind: 'delete' }));
  const voided = after.status === 'void';
  const changed = items.filter((item) => item.voided !== voided);
  return [
    ...changed.map((item) => dependent(invoiceItems, item.id, { kind: 'change', changes: { voided } })),
    ...context
      .rows(packages, 'invoice_id', id)
      .filter(({ status }) => status !== packageStatus(after))
      .map((each) =>
        dependent(packages, each.id, { kind: 'change', changes: { status: packageStatus(after) } }),
      ),
  ];
}

const totalsOf = ({ subtotal, tax_total, total }: Pick<Invoice, 'subtotal' | 'tax_total' | 'total'>) => ({
  ...{ subtotal, tax_total, total },
});

const notFinalized = (details: string) =>
  problemFor('PM001', {
    message: 'the invoice cannot be finalized',
    details,
    hint: 'A draft with at least one invoice item can be finalized. Its total must not be negative.',
  });

const notAllowed = (from: InvoiceStatus, to: InvoiceStatus) =>
  problemFor('PM001', {
    message: `an invoice cannot go from ${from} to ${to}`,
    hint:
      from === 'draft'
        ? 'Call rpc/finalize_invoice.'
        : `From ${from} it can go to ${Object.keys(transitions[from]).join(', ') || 'no other status'}.`,
  });

const hasPayments = problemFor('PM001', {
  message: 'an invoice with payments or credit notes cannot become void',
  hint: 'Delete its payment_allocations, or issue a credit note.',
});
