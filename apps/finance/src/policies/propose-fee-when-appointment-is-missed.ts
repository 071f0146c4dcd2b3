import {
  appointments,
  billingSettings,
  erasures,
  feeRules,
  invoiceItems,
  invoices,
  taxes,
} from '@practice/contracts';
import type { FeeRule } from '@practice/contracts';
import { creation, dependent, lookup, lookupThrough, policy } from '@practice/resource';
import type { LookupContext, PolicyChange } from '@practice/resource';
import { feeFor, kindOf, type Missed } from '../fees/fee.js';

/** A late cancellation or a no-show proposes a draft with the id of the appointment. The draft is withdrawn if the status changes back. */
export const proposeFeeWhenAppointmentIsMissed = policy({
  when: appointments,
  reads: ['client_id', 'service_id', 'status', 'date', 'starts_at', 'price', 'created_at'],
  since: '2026-11-24T00:00:00Z',
  acts: invoices,

  concerns: ({ id, before, after }) =>
    kindOf(before) === kindOf(after) ? null : { column: 'id', values: [id] },

  lookups({ id, after, therapistId }) {
    const settings = lookup(billingSettings, 'id', [therapistId]);
    return [
      settings,
      lookupThrough(taxes, 'id', { lookup: settings, column: 'default_tax_id' }),
      lookup(feeRules, 'kind', [kindOf(after)]),
      lookup(invoiceItems, 'appointment_id', [id]),
      lookup(erasures, 'client_id', [after?.client_id]),
    ];
  },

  react(change, [proposal], context) {
    const { id, after } = change;
    const withdrawn = proposal?.status === 'draft' ? [dependent(invoices, id, { kind: 'delete' })] : [];
    if (after === null || kindOf(after) === null) return withdrawn;
    return proposal === undefined ? proposed({ ...change, after }, context) : [];
  },
});

function proposed(
  { id, after, at, therapistId }: PolicyChange<Missed> & { readonly after: Missed },
  context: LookupContext,
) {
  const { client_id: client } = after;
  const isBilled = context.rows(invoiceItems, 'appointment_id', id).some(({ voided }) => !voided);
  if (client === null || isBilled || context.rows(erasures, 'client_id', client).length > 0) return [];
  const kind = kindOf(after) as FeeRule['kind'];
  const fee = feeFor(after, at, context.rows(feeRules, 'kind', kind));
  if (fee === null) return [];
  const taxId = context.rows(billingSettings, 'id', therapistId)[0]?.default_tax_id ?? null;
  const terms = { therapistId, now: context.now, id: () => id };
  const line = {
    ...{ invoice_id: id, appointment_id: id, service_id: after.service_id, tax_id: taxId },
    ...{ description: names[kind], date: after.date, unit_price: fee },
  };
  return [creation(invoices, { client_id: client }, terms), creation(invoiceItems, line, terms)];
}

const names: Record<FeeRule['kind'], string> = {
  late_cancellation: 'Late cancellation',
  no_show: 'Missed appointment',
};
