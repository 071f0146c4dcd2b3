// The rules of a package: each session is used once, and never more sessions than the package has.

import { invoices, packages, type Invoice, type Package } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { deciderOf } from '@practice/resource';

/** The status of packages that were bought with an invoice. */
export const packageStatus = ({ status }: Pick<Invoice, 'status'>): Package['status'] =>
  status === 'draft' ? 'pending' : status === 'void' ? 'void' : 'active';

export const sessionPackage = deciderOf(packages, {
  create(record, context) {
    const [invoice] = context.rows(invoices, 'id', record.invoice_id);
    return { status: packageStatus(invoice as Invoice), used_by: record.used_by ?? [] };
  },

  change(state, { changes: { used: _, used_by: usedBy, ...others } }) {
    if (usedBy == null) return others;
    const data = { used: usedBy.length, used_by: usedBy };
    if (data.used > state.sessions) return [];
    return [{ type: data.used > state.used ? 'PackageSessionUsed' : 'PackageSessionReturned', data }];
  },

  remove: ({ used }) => (used > 0 ? reject(isUsed(used)) : undefined),
});

const isUsed = (used: number) =>
  problemFor('PM001', {
    message: 'a package with used sessions cannot be deleted',
    details: `Used sessions: ${used}.`,
  });
