// One line for each plain table that callers read.

export * from './finance/ledger-entries.js';
export * from './webhooks/webhook-deliveries.js';
