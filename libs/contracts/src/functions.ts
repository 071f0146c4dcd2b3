// One line for each function.

export * from './batch/batch.js';
export * from './clients/functions/erase-client.js';
export * from './clinical-notes/functions/drafts.js';
export * from './clinical-notes/functions/signatures.js';
export * from './finance/functions/invoices.js';
export * from './identity/functions/calendar-links.js';
export * from './identity/functions/factors.js';
export * from './identity/functions/memberships.js';
export * from './identity/functions/practices.js';
export * from './identity/functions/sessions.js';
export * from './identity/functions/tokens.js';
export * from './identity/functions/verify-log.js';
export * from './scheduling/functions/change-series.js';
export * from './scheduling/functions/free-slots.js';
export * from './search/search.js';
export * from './timeline/timeline.js';
export * from './undo/undo.js';
export * from './webhooks/functions/webhooks.js';
