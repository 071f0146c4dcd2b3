// One line for each decider, policy, handler of a function and other class that Nest makes.

export * from './appointments/appointment.js';
export * from './booking/settings.js';
export * from './calendar/calendar.controller.js';
export * from './functions/change-series.js';
export * from './functions/free-slots.js';
export * from './policies/rename-on-appointments-when-client-renamed.js';
export * from './series/series.js';
