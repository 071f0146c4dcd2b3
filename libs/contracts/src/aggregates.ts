// One line for each resource, and for each aggregate that publishes events without being a resource.

export * from './clients/clients.js';
export * from './clients/conversation-log.js';
export * from './clinical-notes/sessions.js';
export * from './finance/expenses.js';
export * from './identity/practices.js';
export * from './identity/users.js';
export * from './scheduling/appointments.js';
export * from './scheduling/business-hours.js';
export * from './scheduling/service-menu.js';
