// Numbers of invoices and credit notes. They are taken under the lock of the practice, in the change that uses them, so they have
// no gaps.

import { billingSettings, type BillingSettings } from '@practice/contracts';
import { changedEvents, deciderOf, dependent, entries, lookup } from '@practice/resource';
import type { DependentCommand, Lookup, LookupContext, Row } from '@practice/resource';

type Counter = 'next_invoice_number' | 'next_credit_note_number';

const prefixes = {
  next_invoice_number: 'invoice_prefix',
  next_credit_note_number: 'credit_note_prefix',
} as const;

/** Digits of a number at least. */
const DIGITS = 5;

const defaults = Object.fromEntries(
  entries(billingSettings.columns).map(([name, column]) => [name, column.default ?? null]),
) as unknown as BillingSettings;

export const settingsLookup = (therapistId: string): Lookup => lookup(billingSettings, 'id', [therapistId]);

/** The settings of the practice; the defaults until it has changed one. */
export const settingsOf = (therapistId: string, context: LookupContext): BillingSettings =>
  context.rows(billingSettings, 'id', therapistId)[0] ?? defaults;

/** The next number: prefix, hyphen and digits, so numbers with different prefixes differ. */
export function nextNumber(therapistId: string, counter: Counter, context: LookupContext): string {
  const settings = settingsOf(therapistId, context);
  return `${settings[prefixes[counter]]}-${String(settings[counter]).padStart(DIGITS, '0')}`;
}

/** The command that takes the number. */
export const numberTaken = (
  therapistId: string,
  counter: Counter,
  context: LookupContext,
): DependentCommand => {
  const next = settingsOf(therapistId, context)[counter] + 1;
  return dependent(billingSettings, therapistId, { kind: 'change', changes: { [counter]: next } });
};

/** The settings keep their counters: an undo of the first change sets the other columns back to the defaults. */
export const billing = deciderOf(billingSettings, {
  remove(state) {
    const { invoice_prefix, credit_note_prefix, default_tax_id, payment_days } = defaults;
    const usual: Row = { invoice_prefix, credit_note_prefix, default_tax_id, payment_days };
    const changed = Object.entries(usual).filter(([name, value]) => (state as Row)[name] !== value);
    return changedEvents(billingSettings, Object.fromEntries(changed));
  },
});
