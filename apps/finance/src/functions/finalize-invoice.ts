import { finalizeInvoice } from '@practice/contracts';
import { changing } from '@practice/write';
import { finalizing } from '../invoices/finalizing.js';

export const FinalizeInvoice = changing(finalizeInvoice, finalizing, ({ issued_on, due_on }) => ({
  ...{ issued_on, due_on },
}));
