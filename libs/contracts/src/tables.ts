// One line for each plain table that callers read.

export * from './webhooks/webhook-deliveries.js';
