// One line for each resource, and for each aggregate that publishes events without being a resource.

export * from './clients/clients.js';
export * from './clients/conversation-log.js';
export * from './clients/erasures.js';
export * from './clinical-notes/diagnoses.js';
export * from './clinical-notes/measures.js';
export * from './clinical-notes/note-templates.js';
export * from './clinical-notes/private-notes.js';
export * from './clinical-notes/session-addenda.js';
export * from './clinical-notes/sessions.js';
export * from './finance/expenses.js';
export * from './identity/exports.js';
export * from './identity/log-seals.js';
export * from './identity/memberships.js';
export * from './identity/practices.js';
export * from './identity/security-events.js';
export * from './identity/users.js';
export * from './scheduling/appointment-series.js';
export * from './scheduling/appointments.js';
export * from './scheduling/business-hours.js';
export * from './scheduling/practice-settings.js';
export * from './scheduling/service-menu.js';
export * from './webhooks/webhooks.js';
