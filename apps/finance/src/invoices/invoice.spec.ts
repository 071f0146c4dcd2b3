import { describe, it } from '@jest/globals';
import { billingSettings, invoiceItems, invoices, practiceSettings } from '@practice/contracts';
import type { Invoice, InvoiceItem } from '@practice/contracts';
import type { EventOf } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import { finalizing } from './finalizing.js';
import { invoice } from './invoice.js';

type Invoices = typeof invoices;

const id = '018f0000-0000-7000-8000-000000000010';
const client = '018f0000-0000-7000-8000-0000000000c1';
const draft = recordsOf(invoices, { client_id: client });
const item = recordsOf(invoiceItems, {
  ...{ invoice_id: id, client_id: client, description: 'A session', unit_price: '100.00' },
  ...{ amount: '100.00', tax_amount: '19.00', total: '119.00' },
});
const settings = recordsOf(billingSettings, { id: draft().therapist_id });

const [given, finalizedFrom] = [specOf(invoice), specOf(finalizing)];
const drafted = (but: Partial<Invoice> = {}): EventOf<Invoices> => ({
  type: 'InvoiceDrafted',
  data: draft(but),
});
const totals = { subtotal: '100.00', tax_total: '19.00', total: '119.00' };
const finalized = (but: object = {}): EventOf<Invoices> => ({
  type: 'InvoiceFinalized',
  data: {
    ...{ status: 'open', number: 'INV-00001', issued_on: '2026-05-01', due_on: '2026-05-15' },
    ...totals,
    ...{ amount_due: '119.00', ...but },
  },
});
const totalled = (but: { readonly total?: string } = {}): EventOf<Invoices> => ({
  type: 'InvoiceTotalled',
  data: { ...totals, practitioner_ids: null, ...but },
});
const settled = (paid: string, due: string, credited = '0.00'): EventOf<Invoices> => ({
  type: 'InvoiceSettled',
  data: { amount_paid: paid, amount_credited: credited, amount_due: due },
});
const change = (changes: Partial<Invoice>) => ({ kind: 'change', changes }) as const;
const undo = (changes: Partial<Invoice>) => ({ kind: 'change', changes, isUndo: true }) as const;
const finalize = change({ issued_on: '2026-05-01' });
const items = (...rows: readonly Partial<InvoiceItem>[]) => rows.map((row) => item(row));

describe('finalizing a draft', () => {
  it('is rejected if the invoice would be due before its date', () => {
    finalizedFrom(drafted(), totalled())
      .among(invoiceItems, ...items({}))
      .when(change({ issued_on: '2026-05-01', due_on: '2026-04-30' }))
      .thenRejects('PM001', 'due_on is before issued_on.');
  });

  it('is rejected if the invoice would be dated more than 31 days ahead', () => {
    const dated = (issued_on: string) =>
      finalizedFrom(drafted(), totalled())
        .among(invoiceItems, ...items({}))
        .when(change({ issued_on, due_on: '9999-12-31' }));
    dated('2026-06-02').thenRejects('PM001', 'issued_on is after 2026-06-01.');
    dated('2026-06-01').then(finalized({ issued_on: '2026-06-01', due_on: '9999-12-31' }));
  });

  it('sets the next number, the sums of the items and the due date', () => {
    finalizedFrom(drafted(), totalled())
      .among(invoiceItems, ...items({}))
      .when(finalize)
      .then(finalized());
  });

  it('takes prefix, counter and days from the settings', () => {
    finalizedFrom(drafted(), totalled())
      .among(invoiceItems, ...items({}))
      .among(
        billingSettings,
        settings({ invoice_prefix: 'R', next_invoice_number: 123_456, payment_days: 30 }),
      )
      .when(finalize)
      .then(finalized({ number: 'R-123456', due_on: '2026-05-31' }));
  });

  it('uses today in the zone of the practice unless the caller names a date', () => {
    finalizedFrom(drafted(), totalled())
      .among(invoiceItems, ...items({}))
      .when(change({ issued_on: null }))
      .then(finalized());
    // The time of the command is 08:00 in UTC, which is 22:00 of the day before in Honolulu.
    finalizedFrom(drafted(), totalled())
      .among(invoiceItems, ...items({}))
      .among(practiceSettings, { id: draft().therapist_id, time_zone: 'Pacific/Honolulu' })
      .when(change({ issued_on: null }))
      .then(finalized({ issued_on: '2026-04-30', due_on: '2026-05-14' }));
  });

  it('keeps the due date of the draft', () => {
    finalizedFrom(drafted({ due_on: '2026-07-01' }), totalled())
      .among(invoiceItems, ...items({}))
      .when(finalize)
      .then(finalized({ due_on: '2026-07-01' }));
  });

  it('makes an invoice with nothing to pay paid', () => {
    const free = { amount: '0.00', tax_amount: '0.00', total: '0.00', unit_price: '0.00' };
    finalizedFrom(drafted())
      .among(invoiceItems, ...items(free))
      .when(finalize)
      .then(finalized({ subtotal: '0.00', tax_total: '0.00', total: '0.00', amount_due: '0.00' }), {
        type: 'InvoicePaid',
        data: { status: 'paid' },
      });
  });

  it('needs items, a total that is not negative, and a draft', () => {
    finalizedFrom(drafted()).when(finalize).thenRejects('PM001', 'It has no items.');
    finalizedFrom(drafted(), totalled({ total: '-1.00' }))
      .among(invoiceItems, ...items({ total: '-1.00' }))
      .when(finalize)
      .thenRejects('PM001', 'Its total is -1.00.');
    finalizedFrom(drafted(), finalized()).when(finalize).thenRejects('PM001', 'The invoice is open.');
  });
});

describe('a finalized invoice', () => {
  it.each([
    ['changed', change({ memo: 'Thanks' })],
    ['deleted', { kind: 'delete' } as const],
    ['made a draft by an undo', undo({ status: 'draft', number: null })],
    ['made a draft', change({ status: 'draft' })],
  ])('cannot be %s', (_, command) => {
    given(drafted(), finalized()).when(command).thenRejects('PM021');
  });

  it('is paid when nothing is due any more, and is open again when an amount is due', () => {
    given(drafted(), finalized())
      .when(change({ amount_paid: '119.00', amount_due: '0.00' }))
      .then(settled('119.00', '0.00'), { type: 'InvoicePaid', data: { status: 'paid' } });
    const paid: EventOf<Invoices> = { type: 'InvoicePaid', data: { status: 'paid' } };
    given(drafted(), finalized(), settled('119.00', '0.00'), paid)
      .when(change({ amount_paid: '100.00', amount_due: '19.00' }))
      .then(settled('100.00', '19.00'), { type: 'InvoiceReopened', data: { status: 'open' } });
  });

  it('can become void or uncollectible; open again from uncollectible, but from void only by an undo', () => {
    const voided: EventOf<Invoices> = { type: 'InvoiceVoided', data: { status: 'void' } };
    const lost: EventOf<Invoices> = { type: 'InvoiceMarkedUncollectible', data: { status: 'uncollectible' } };
    const reopened: EventOf<Invoices> = { type: 'InvoiceReopened', data: { status: 'open' } };
    given(drafted(), finalized())
      .when(change({ status: 'void' }))
      .then(voided);
    given(drafted(), finalized())
      .when(change({ status: 'uncollectible' }))
      .then(lost);
    given(drafted(), finalized(), lost)
      .when(change({ status: 'open' }))
      .then(reopened);
    given(drafted(), finalized(), voided)
      .when(undo({ status: 'open' }))
      .then(reopened);
    given(drafted(), finalized(), voided)
      .when(change({ status: 'open' }))
      .thenRejects('PM001');
  });

  it('with payments or credit notes cannot become void', () => {
    const paid: EventOf<Invoices> = { type: 'InvoicePaid', data: { status: 'paid' } };
    for (const parts of [
      [settled('1.00', '118.00')],
      [settled('0.00', '118.00', '1.00')],
      [settled('119.00', '0.00'), paid],
    ])
      given(drafted(), finalized(), ...parts)
        .when(change({ status: 'void' }))
        .thenRejects('PM001');
  });

  it('of a total of zero is paid, and can become void and paid again by an undo', () => {
    const paid: EventOf<Invoices> = { type: 'InvoicePaid', data: { status: 'paid' } };
    const voided: EventOf<Invoices> = { type: 'InvoiceVoided', data: { status: 'void' } };
    const free = [
      drafted(),
      finalized({ subtotal: '0.00', tax_total: '0.00', total: '0.00' }),
      paid,
    ] as const;
    given(...free)
      .when(change({ status: 'void' }))
      .then(voided);
    given(...free, voided)
      .when(undo({ status: 'paid' }))
      .then(paid);
  });

  it('cannot be set to paid by hand, and an undo leaves the status to the allocations', () => {
    given(drafted(), finalized())
      .when(change({ status: 'paid' }))
      .thenRejects('PM001');
    given(drafted(), finalized())
      .when(undo({ status: 'paid' }))
      .thenNothing();
  });
});

describe('a new invoice', () => {
  it.each<Partial<Invoice>>([{ status: 'open' }, { number: 'X' }, { total: '1.00' }, { amount_due: '1.00' }])(
    'leaves %p to the server',
    (value) => {
      given()
        .when({ kind: 'create', record: draft(value) })
        .thenRejects('428C9');
    },
  );
});
