// The rules of the line of an invoice: its price is the one of the booking, and it changes with a draft only.

import { appointments, finalized, invoiceItems, invoices, serviceMenu, taxes } from '@practice/contracts';
import type { Invoice, InvoiceItem } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { deciderOf, dependent, lookup, lookupOf } from '@practice/resource';
import type { Draft, LookupContext, Named } from '@practice/resource';
import { isDeepStrictEqual } from 'node:util';
import { lineAmounts } from '../money.js';
import { totalOf } from './totals.js';

export const invoiceItem = deciderOf(invoiceItems, {
  derives: true,
  enforces: ['invoice_items_appointment_key'],
  reads: ['invoice_id', 'tax_id'],

  lookups: ({ invoice_id, appointment_id, service_id }, { kind }) => [
    lookup(invoiceItems, 'invoice_id', [invoice_id]),
    ...(appointment_id === null ? [] : [lookup(invoiceItems, 'appointment_id', [appointment_id])]),
    ...(kind === 'create' ? lookupOf(serviceMenu.name, service_id) : []),
  ],

  create(record, context, isUndo) {
    draftOf(record, context);
    checkNotBilled(record, context);
    if (isUndo) return undefined;
    const line = { ...bookedValues(record, context), tax_rate: rateOf(record, context) };
    return { ...line, ...lineAmounts({ ...record, ...line }) };
  },

  change(state, { changes: { voided, description, date, unit_price, quantity, tax_id } }, context) {
    if (voided !== undefined) {
      if (!voided) checkNotBilled(state, context);
      return { voided };
    }
    draftOf(state, context);
    const own = {
      ...(description == null ? {} : { description }),
      ...(unit_price == null ? {} : { unit_price }),
      ...(date === undefined ? {} : { date }),
      ...(quantity === undefined ? {} : { quantity }),
      ...(tax_id === undefined ? {} : { tax_id, tax_rate: rateOf({ tax_id }, context) }),
    };
    return { ...own, ...lineAmounts({ ...state, ...own }) };
  },

  remove: (state, context) => void draftOf(state, context),

  /** A draft has the sums of its items. */
  dependents({ command, before, after }, context) {
    const id = after?.invoice_id ?? before?.invoice_id ?? '';
    const [draft] = context.rows(invoices, 'id', id);
    if (draft?.status !== 'draft') return [];
    const items = context.rows(invoiceItems, 'invoice_id', id);
    const changes = totalOf(
      command.kind === 'delete' ? items.filter((item) => item.id !== before?.id) : items,
    );
    return isDeepStrictEqual({ ...draft, ...changes }, draft)
      ? []
      : [dependent(invoices, id, { kind: 'change', changes })];
  },
});

/** @throws {Rejection} PM021 unless the invoice of the item is a draft */
function draftOf({ invoice_id: id }: Pick<InvoiceItem, 'invoice_id'>, context: LookupContext): Invoice {
  const [parent] = context.rows(invoices, 'id', id);
  return parent?.status === 'draft' ? parent : reject(finalized);
}

type Billed = Pick<InvoiceItem, 'id' | 'appointment_id'>;

/** @throws {Rejection} PM023 for an appointment that another invoice has */
function checkNotBilled({ id, appointment_id: appointment }: Billed, context: LookupContext): void {
  if (appointment === null) return;
  const other = context
    .rows(invoiceItems, 'appointment_id', appointment)
    .find((item) => !item.voided && item.id !== id);
  if (other !== undefined) reject(billed(appointment, other));
}

const billed = (appointment: string, { id, invoice_id: invoice }: InvoiceItem) =>
  problemFor('PM023', { details: `Appointment ${appointment} is item ${id} of ${invoice}.` });

/** The values of the booking, and what the service has now. A line without text or price has a service. */
function bookedValues(item: Draft<typeof invoiceItems>, context: LookupContext) {
  const none = { date: null, practitioner_id: null, name: null, price: null };
  const booked = { ...none, ...found(appointments, item.appointment_id, context) };
  const service = { ...none, ...found(serviceMenu, item.service_id, context) };
  return {
    practitioner_id: booked.practitioner_id,
    date: item.date ?? booked.date,
    description: item.description ?? (service.name as string),
    unit_price: item.unit_price ?? booked.price ?? (service.price as string),
  };
}

/** The record that a column names. A reference is checked before the rules, so it exists. */
const found = <D extends Named>(definition: D, id: string | null, context: LookupContext) =>
  id === null ? undefined : context.rows(definition, 'id' as never, id)[0];

const rateOf = ({ tax_id: id }: Pick<InvoiceItem, 'tax_id'>, context: LookupContext): string =>
  found(taxes, id, context)?.rate ?? '0.000';
