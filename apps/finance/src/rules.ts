// One line for each decider, policy and handler of a function of the service. Others follow from their definitions.

export * from './credit-notes/credit-note.js';
export * from './fees/fee-rule.js';
export * from './functions/bill-appointments.js';
export * from './functions/finalize-invoice.js';
export * from './functions/superbill.js';
export * from './invoices/invoice.js';
export * from './packages/package.js';
export * from './payments/payment.js';
export * from './policies/propose-fee-when-appointment-is-missed.js';
export * from './policies/use-package-when-appointment-completes.js';
export * from './settings/billing-settings.js';
