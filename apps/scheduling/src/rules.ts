// One line for each decider, policy and handler of a function of the service.

export * from './appointments/appointment.js';
export * from './functions/change-series.js';
export * from './functions/free-slots.js';
export * from './policies/rename-on-appointments-when-client-renamed.js';
export * from './series/series.js';
