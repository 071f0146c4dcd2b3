import { describe, expect, it } from '@jest/globals';
import { creditNotes, invoices, practiceSettings } from '@practice/contracts';
import { plus } from '@practice/core';
import type { LookupContext, Row } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import { creditNote } from './credit-note.js';

const [invoiceId, client] = ['a1', 'c1'].map((end) => `018f0000-0000-7000-8000-0000000000${end}`) as [
  string,
  string,
];
const note = recordsOf(creditNotes, {
  ...{ invoice_id: invoiceId, client_id: client, reason: 'x', date: '2026-05-01', total: '1.00' },
});
const invoice = recordsOf(invoices, {
  ...{ id: invoiceId, client_id: client },
  ...({ status: 'open' } as const),
  ...{ subtotal: '100.00', tax_total: '19.00', total: '119.00' },
});

/** The tax of each of several consecutive notes. */
function taxesOf(totals: readonly string[]): string[] {
  let credited = '0.00';
  return totals.map((total) => {
    const rows = ({ name }: { name: string }): readonly Row[] =>
      name === invoices.name ? [invoice({ amount_credited: credited }) as Row] : [];
    const context = { now: '2026-05-01T08:00:00+00:00', rows } as unknown as LookupContext;
    const [issued] = creditNote.decide({ kind: 'create', record: note({ total }) }, null, context);
    credited = plus(credited, total);
    return (issued?.data as { tax_total: string }).tax_total;
  });
}

describe('credit notes of a whole invoice', () => {
  it.each([
    [['119.00']],
    [Array.from({ length: 7 }, () => '17.00')],
    [Array.from({ length: 1190 }, () => '0.10')],
  ])('credit exactly its tax, regardless of the size of the parts', (totals) => {
    expect(taxesOf(totals).reduce(plus)).toBe('19.00');
  });
});

it('a credit note without a date has the day in the zone of the practice', () => {
  const { therapist_id } = note();
  const issued = {
    ...{ number: 'CN-00001', subtotal: '0.84', tax_total: '0.16', applied: '0.00', credited: '1.00' },
    // The time of the command is 08:00 in UTC, which is 22:00 of the day before in Honolulu.
    date: '2026-04-30',
  };
  specOf(creditNote)()
    .among(invoices, invoice())
    .among(practiceSettings, { id: therapist_id, time_zone: 'Pacific/Honolulu' })
    .when({ kind: 'create', record: { ...note(), date: null, number: null } })
    .then({ type: 'CreditNoteIssued', data: { ...note(), ...issued } });
});

it('a credit note is not dated before its invoice, nor more than 31 days ahead', () => {
  const issue = (date: string | null, issued_on: string) =>
    specOf(creditNote)()
      .among(invoices, invoice({ issued_on }))
      .when({ kind: 'create', record: { ...note(), date, number: null } });
  issue('2026-04-30', '2026-05-01').thenRejects('23514', /2026-05-01/);
  issue('2026-06-02', '2026-05-01').thenRejects('23514', /2026-06-01/);
  issue('2027-01-02', '2027-01-01').thenRejects('23514', /after 2027-01-01/);
  const issued = { ...{ number: 'CN-00001', subtotal: '0.84', tax_total: '0.16' }, credited: '1.00' };
  const dated = { type: 'CreditNoteIssued', data: { ...note(), ...issued, applied: '0.00' } } as const;
  issue('2026-05-01', '2026-05-01').then(dated);
  issue(null, '2027-01-01').then({ ...dated, data: { ...dated.data, date: '2027-01-01' } });
});
