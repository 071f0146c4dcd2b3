// One line for each decider and each policy of the service.

export * from './appointments/appointment.js';
export * from './policies/rename-on-appointments-when-client-renamed.js';
