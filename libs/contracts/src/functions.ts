// One line for each function.

export * from './clients/functions/erase-client.js';
export * from './identity/functions/accept-invitation.js';
export * from './identity/functions/break-glass.js';
export * from './identity/functions/calendar-links.js';
export * from './identity/functions/close-practice.js';
export * from './identity/functions/create-calendar-link.js';
export * from './identity/functions/create-recovery-codes.js';
export * from './identity/functions/current-identity.js';
export * from './identity/functions/end-member-sessions.js';
export * from './identity/functions/end-session.js';
export * from './identity/functions/export-practice.js';
export * from './identity/functions/leave-practice.js';
export * from './identity/functions/my-practices.js';
export * from './identity/functions/open-practice.js';
export * from './identity/functions/open-sessions.js';
export * from './identity/functions/reopen-practice.js';
export * from './identity/functions/reset-factors.js';
export * from './identity/functions/revoke-calendar-link.js';
export * from './identity/functions/switch-practice.js';
export * from './identity/functions/verify-log.js';
export * from './scheduling/functions/change-series.js';
export * from './scheduling/functions/free-slots.js';
export * from './undo/undo.js';
export * from './webhooks/functions/replay-webhook.js';
export * from './webhooks/functions/rotate-webhook-secret.js';
export * from './webhooks/functions/test-webhook.js';
