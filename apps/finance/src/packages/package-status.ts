import type { Invoice, Package } from '@practice/contracts';

/** The status of packages that an invoice has bought. */
export const packageStatus = ({ status }: Pick<Invoice, 'status'>): Package['status'] =>
  status === 'draft' ? 'pending' : status === 'void' ? 'void' : 'active';
