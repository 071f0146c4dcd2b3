// The rules of the line of an invoice: its price is the one of the booking, and it changes with a draft only.

import { appointments, finalized, invoiceItems, invoices, serviceMenu, taxes } from '@practice/contracts';
import type { Invoice, InvoiceItem } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { changedEvents, lookup } from '@practice/resource';
import type {
  ChangeCommand,
  Command,
  CreateCommand,
  Decider,
  Draft,
  EventOf,
  Lookup,
  LookupContext,
} from '@practice/resource';
import { lineAmounts } from '../money.js';
import { checkLeft } from '../server-kept.js';
import { totalled } from './totals.js';

type Items = typeof invoiceItems;

export const invoiceItem: Decider<Items> = {
  definition: invoiceItems,
  derives: true,
  enforces: ['invoice_items_appointment_key'],

  lookups(command, state) {
    const item = state ?? (command.kind === 'create' ? command.record : null);
    if (item === null) return [];
    return [
      lookup(invoices, 'id', [item.invoice_id]),
      lookup(invoiceItems, 'invoice_id', [item.invoice_id]),
      ...lookupById(taxes, taxOf(command)),
      ...(item.appointment_id === null
        ? []
        : [
            lookup(invoiceItems, 'appointment_id', [item.appointment_id]),
            lookup(appointments, 'id', [item.appointment_id]),
          ]),
      ...(command.kind === 'create' ? lookupById(serviceMenu, item.service_id) : []),
    ];
  },

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [added(command, context)];
      case 'change':
        return state === null ? [] : changed(state, command, context);
      case 'delete':
        if (state !== null) draftOf(state.invoice_id, context);
        return [{ type: 'InvoiceItemRemoved', data: {} }];
    }
  },

  dependents({ command, before, after }, context) {
    const id = after?.invoice_id ?? before?.invoice_id ?? '';
    const [parent] = context.rows(invoices, 'id', id);
    if (parent?.status !== 'draft') return [];
    const items = context.rows(invoiceItems, 'invoice_id', id);
    return totalled(
      parent,
      command.kind === 'delete' ? items.filter((item) => item.id !== before?.id) : items,
    );
  },
};

function added({ record, isUndo }: CreateCommand<Items>, context: LookupContext): EventOf<Items> {
  const { client_id: clientId } = draftOf(record.invoice_id, context);
  checkNotBilled(record, context);
  if (isUndo === true) return { type: 'InvoiceItemAdded', data: record };
  checkLeft(invoiceItems, record, ['practitioner_id', 'tax_rate', 'amount', 'tax_amount', 'total', 'voided']);
  if (record.client_id !== null && record.client_id !== clientId) reject(otherClient('client_id'));
  const line = {
    ...record,
    ...{ client_id: clientId, tax_rate: rateOf(record.tax_id, context) },
    ...bookedValues(record, context),
    description: record.description ?? serviceOf(record, context).name,
    unit_price: record.unit_price ?? priceOf({ ...record, client_id: clientId }, context),
  };
  return { type: 'InvoiceItemAdded', data: { ...line, ...lineAmounts(line) } };
}

function changed(
  state: InvoiceItem,
  { changes }: ChangeCommand<Items>,
  context: LookupContext,
): EventOf<Items>[] {
  const { voided, description, date, unit_price, quantity, tax_id } = changes;
  if (voided !== undefined) {
    if (!voided) checkNotBilled(state, context);
    return [{ type: 'InvoiceItemVoided', data: { voided } }];
  }
  draftOf(state.invoice_id, context);
  const own = {
    ...(description == null ? {} : { description }),
    ...(unit_price == null ? {} : { unit_price }),
    ...(date === undefined ? {} : { date }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(tax_id === undefined ? {} : { tax_id, tax_rate: rateOf(tax_id, context) }),
  };
  return changedEvents(invoiceItems, { ...own, ...lineAmounts({ ...state, ...own }) });
}

/**
 * The invoice of an item.
 * @throws {Rejection} PM021 unless it is a draft
 */
function draftOf(id: string, context: LookupContext): Invoice {
  const [parent] = context.rows(invoices, 'id', id);
  return parent?.status === 'draft' ? parent : reject(finalized);
}

/** @throws {Rejection} PM023 for an appointment that another invoice has */
function checkNotBilled({ id, appointment_id: appointment }: Draft<Items>, context: LookupContext): void {
  if (appointment === null) return;
  const other = context
    .rows(invoiceItems, 'appointment_id', appointment)
    .find((item) => !item.voided && item.id !== id);
  if (other === undefined) return;
  reject(
    problemFor('PM023', {
      details: `Appointment ${appointment} is item ${other.id} of ${other.invoice_id}.`,
    }),
  );
}

/** The price of the appointment when it was booked, else that of the service now. */
function priceOf(item: Draft<Items>, context: LookupContext): string {
  const booked = bookedOf(item, context);
  if (booked?.client_id != null && booked.client_id !== item.client_id) reject(otherClient('appointment_id'));
  return booked?.price ?? serviceOf(item, context).price;
}

/** The day and the practitioner of the appointment. */
function bookedValues(item: Draft<Items>, context: LookupContext) {
  const { date = null, practitioner_id = null } = bookedOf(item, context) ?? {};
  return { date: item.date ?? date, practitioner_id };
}

const bookedOf = ({ appointment_id: id }: Draft<Items>, context: LookupContext) =>
  id === null ? undefined : context.rows(appointments, 'id', id)[0];

const serviceOf = ({ service_id: id }: Draft<Items>, context: LookupContext) => {
  const [service] = id === null ? [] : context.rows(serviceMenu, 'id', id);
  return service ?? reject(otherClient('service_id'));
};

const rateOf = (id: string | null, context: LookupContext): string =>
  (id === null ? undefined : context.rows(taxes, 'id', id)[0]?.rate) ?? '0.000';

const taxOf = (command: Command<Items>): string | null =>
  (command.kind === 'create' ? command.record : command.kind === 'change' ? command.changes : {}).tax_id ??
  null;

const lookupById = (definition: typeof taxes | typeof serviceMenu, id: string | null): Lookup[] =>
  id === null ? [] : [lookup(definition, 'id', [id])];

const otherClient = (column: string) => ({
  status: 409,
  code: '23503',
  message: `insert or update on table "invoice_items" violates foreign key constraint "invoice_items_${column}_fkey"`,
  details: `The record that ${column} names is not of the client of the invoice.`,
});
