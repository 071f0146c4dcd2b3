// The rules of a package: its sessions are used once each, and never more than there are.

import { invoices, packages, type Package } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { lookup } from '@practice/resource';
import type { ChangeCommand, CreateCommand, Decider, EventOf, LookupContext } from '@practice/resource';
import { checkLeft } from '../server-kept.js';
import { packageStatus } from './package-status.js';

type Packages = typeof packages;

export const sessionPackage: Decider<Packages> = {
  definition: packages,

  lookups: (command) =>
    command.kind === 'create' ? [lookup(invoices, 'id', [command.record.invoice_id])] : [],

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [sold(command, context)];
      case 'change':
        return state === null ? [] : changed(state, command);
      case 'delete':
        return state !== null && state.used > 0
          ? reject(isUsed(state))
          : [{ type: 'PackageDeleted', data: {} }];
    }
  },
};

function sold({ record, isUndo }: CreateCommand<Packages>, context: LookupContext): EventOf<Packages> {
  if (isUndo !== true) checkLeft(packages, record, ['status', 'used', 'used_by']);
  const [invoice] = context.rows(invoices, 'id', record.invoice_id);
  if (invoice === undefined || invoice.client_id !== record.client_id) return reject(otherClient);
  return {
    type: 'PackageSold',
    data: { ...record, status: packageStatus(invoice), used_by: record.used_by ?? [] },
  };
}

function changed(state: Package, { changes }: ChangeCommand<Packages>): EventOf<Packages>[] {
  const { expires_on: expiresOn, status, used_by: usedBy } = changes;
  if (usedBy != null) {
    const data = { used: usedBy.length, used_by: usedBy };
    if (data.used > state.sessions) return [];
    return [{ type: data.used > state.used ? 'PackageSessionUsed' : 'PackageSessionReturned', data }];
  }
  return [
    ...(status === undefined ? [] : [{ type: 'PackageStatusChanged' as const, data: { status } }]),
    ...(expiresOn === undefined
      ? []
      : [{ type: 'PackageChanged' as const, data: { expires_on: expiresOn } }]),
  ];
}

const isUsed = ({ used }: Package) =>
  problemFor('PM001', {
    message: 'a package with used sessions cannot be deleted',
    details: `Used sessions: ${used}.`,
  });

const otherClient = {
  status: 409,
  code: '23503',
  message: 'insert or update on table "packages" violates foreign key constraint "packages_invoice_id_fkey"',
  details: 'The invoice is of another client.',
};
