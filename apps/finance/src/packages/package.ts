// The rules of a package: each session is used once, and never more sessions than the package has.

import { invoiceItems, invoices, packages, type Invoice, type InvoiceItem } from '@practice/contracts';
import type { Package } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { changedEvents, deciderOf, lookup, sets, type LookupContext } from '@practice/resource';
import { isTakenBack } from '../credit-notes/taken-back.js';

/** The status of packages that were bought with an invoice. */
export const packageStatus = (invoice: Invoice): Package['status'] =>
  invoice.status === 'draft' ? 'pending' : isTakenBack(invoice) ? 'void' : 'active';

export const sessionPackage = deciderOf(packages, {
  lookups: ({ used_by: users }, command) =>
    sets(command, ['status']) ? [lookup(invoiceItems, 'appointment_id', users ?? [])] : [],

  create(record, context) {
    const [invoice] = context.rows(invoices, 'id', record.invoice_id);
    return { status: packageStatus(invoice as Invoice), used_by: record.used_by ?? [] };
  },

  change(state, { changes: { used: _, used_by: asked, ...others } }, context) {
    const users = asked ?? (others.status === 'active' ? unbilled(state, context) : null);
    if (users === null || users.length > state.sessions || String(users) === String(state.used_by ?? []))
      return others;
    const type = () => (users.length > state.used ? 'PackageSessionUsed' : 'PackageSessionReturned');
    const changes = { ...others, used: users.length, used_by: users };
    return changedEvents(packages, changes, { used: type, used_by: type });
  },

  remove: ({ used }) => (used > 0 ? reject(isUsed(used)) : undefined),
});

/** Whether an item bills the session of an appointment. The invoice of a proposed fee has the id of the appointment, and does not. */
export const isBilledBy = (
  { voided, service_id: service, invoice_id: invoice }: InvoiceItem,
  session: { readonly id: string; readonly service: string | null | undefined },
): boolean => !voided && service === session.service && invoice !== session.id;

/** The users of a package that was void. While it was, an invoice may have billed their sessions. */
const unbilled = ({ used_by: users, service_id: service }: Package, context: LookupContext): string[] =>
  (users ?? []).filter(
    (id) =>
      !context.rows(invoiceItems, 'appointment_id', id).some((item) => isBilledBy(item, { id, service })),
  );

const isUsed = (used: number) =>
  problemFor('PM001', {
    message: 'a package with used sessions cannot be deleted',
    details: `Used sessions: ${used}.`,
  });
