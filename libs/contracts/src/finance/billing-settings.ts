import { column, resource } from '@practice/resource';

const next = { default: 1, min: 1, readOnly: true } as const;

export const billingSettings = resource({
  name: 'billing_settings',
  service: 'finance',
  aggregate: 'billing_settings',
  description:
    'How the practice numbers invoices and credit notes. Every practice has one record, with the id of the practice.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'write' },
  changeOnly: true,
  fromStart: true,
  columns: {
    invoice_prefix: column.text({
      default: 'INV',
      notBlank: true,
      maxLength: 32,
      description: 'The next invoice is INV-00042. Numbers of earlier invoices stay.',
    }),
    credit_note_prefix: column.text({ default: 'CN', notBlank: true, maxLength: 32 }),
    default_tax_id: column.uuid({
      references: 'taxes',
      description: 'The tax of items that `rpc/bill_appointments` and fee rules make. Null: no tax.',
    }),
    payment_days: column.integer({
      default: 14,
      min: 0,
      max: 365,
      description: 'Days from the date of an invoice to the day on which it is due.',
    }),
    next_invoice_number: column.integer({ ...next, description: 'Set by `rpc/finalize_invoice`.' }),
    next_credit_note_number: column.integer({ ...next, description: 'Set by the server.' }),
  },
  events: {
    BillingSettingsSet: 'created',
    BillingSettingsChanged: 'others',
    BillingSettingsInvoiceNumbered: ['next_invoice_number'],
    BillingSettingsCreditNoteNumbered: ['next_credit_note_number'],
  },
});
