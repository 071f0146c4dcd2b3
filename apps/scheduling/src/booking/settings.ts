// The rule of the settings: the amounts of final invoices have no currency of their own, so the currency of the practice stays theirs.
// The mirror of `billing_settings` may lag: a change in the moments after the first invoice is still accepted.

import { billingSettings, practiceSettings } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { deciderOf, fromStart, lookup, type LookupContext, sets } from '@practice/resource';

const preset = practiceSettings.columns.currency.default;

export const settings = deciderOf(practiceSettings, {
  lookups: ({ id }) => [lookup(billingSettings, 'id', [id])],

  /** @throws {Rejection} PM021 for another currency after an invoice was finalized */
  check({ id, currency }, context, command) {
    const isOther = command.kind === 'create' ? currency !== preset : sets(command, ['currency']);
    if (isOther) requireNoInvoice(id, context);
  },

  remove({ id, currency }, context) {
    if (currency !== preset) requireNoInvoice(id, context);
    return undefined;
  },
});

function requireNoInvoice(practice: string, context: LookupContext): void {
  if (fromStart(billingSettings, practice, context).next_invoice_number > 1) reject(isInvoiced);
}

const isInvoiced = problemFor('PM021', {
  message: 'the currency cannot change once an invoice is finalized',
  hint: 'Invoices in another currency need another practice.',
});
