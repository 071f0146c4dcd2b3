// One line for each decider, policy and handler of a function of the service. Expenses and taxes need none.

export * from './credit-notes/credit-note.js';
export * from './functions/finalize-invoice.js';
export * from './invoices/invoice.js';
export * from './invoices/invoice-item.js';
export * from './numbers.js';
export * from './payments/payment.js';
export * from './payments/payment-allocation.js';
