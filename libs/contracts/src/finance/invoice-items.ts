import { problemFor } from '@practice/core';
import { column, resource, type RowOf } from '@practice/resource';
import { finalized } from './invoices.js';
import { amount, percent } from './ledger-entries.js';

export const invoiceItems = resource({
  name: 'invoice_items',
  service: 'finance',
  aggregate: 'invoice_item',
  description:
    'The lines of invoices. They can be changed while the invoice is a draft. An appointment is on one invoice only, unless that is void or credited in full.',
  mostDependents: 1,
  roles: { therapist: { may: 'read', of: 'practitioner_id' }, front_desk: 'read', billing: 'delete' },
  columns: {
    invoice_id: column.uuid({
      ...{ required: true, references: 'invoices', fixed: true, shares: ['client_id'] },
      needs: { where: { status: ['draft'] }, problem: finalized, always: true },
    }),
    client_id: column.uuid({
      requiredUnless: 'invoice_id',
      references: 'clients',
      fixed: true,
      description: 'The client of the invoice.',
    }),
    appointment_id: column.uuid({
      references: 'appointments',
      shares: ['client_id'],
      fixed: true,
      description: 'The appointment that the line is for, of the same client.',
    }),
    practitioner_id: column.uuid({
      readOnly: true,
      copies: ['appointment_id.practitioner_id'],
      description: 'The practitioner of the appointment when the line was made.',
    }),
    service_id: column.uuid({ references: 'service_menu', fixed: true }),
    description: column.text({
      requiredUnless: 'service_id',
      notBlank: true,
      maxLength: 1000,
      copies: ['service_id.name'],
      personal: { of: 'client_id' },
      description: 'If omitted: the name of the service.',
    }),
    date: column.date({
      copies: ['appointment_id.date'],
      description: 'The day of the service. If omitted: the day of the appointment.',
    }),
    quantity: column.decimal(10, 2)({ default: '1.00', not: 0 }),
    unit_price: column.money({
      requiredUnless: 'service_id',
      copies: ['appointment_id.price', 'service_id.price'],
      description:
        'Without tax. If omitted: the price of the appointment when it was booked; without one, the price of the service.',
    }),
    tax_id: column.uuid({ references: 'taxes' }),
    tax_rate: percent({
      default: '0.000',
      readOnly: true,
      copies: ['tax_id.rate'],
      description: 'Percent: the rate of the tax when it was chosen.',
    }),
    amount: amount({
      productOf: ['quantity', 'unit_price'],
      description: '`quantity` times `unit_price`, rounded half to even.',
    }),
    tax_amount: amount({
      percentOf: ['amount', 'tax_rate'],
      description: '`tax_rate` of `amount`, rounded half to even.',
    }),
    total: amount({ sumOf: ['amount', 'tax_amount'], description: '`amount` plus `tax_amount`.' }),
    voided: column.boolean({
      ...{ default: false, readOnly: true },
      description: 'True: the invoice is void or credited in full.',
    }),
  },
  events: {
    InvoiceItemAdded: 'created',
    InvoiceItemChanged: 'others',
    InvoiceItemVoided: ['voided'],
    InvoiceItemRemoved: 'deleted',
  },
  uniques: [
    {
      ...{ name: 'invoice_items_appointment_key', columns: ['appointment_id'], where: { voided: [false] } },
      ...{ isDecided: true, problem: problemFor('PM023') },
    },
  ],
  totals: [
    {
      by: 'invoice_id',
      adds: { subtotal: 'amount', tax_total: 'tax_amount', total: 'total' },
      gathers: { practitioner_ids: 'practitioner_id' },
    },
  ],
  indexes: [['invoice_id'], ['appointment_id'], ['client_id']],
});

export type InvoiceItem = RowOf<typeof invoiceItems>;
