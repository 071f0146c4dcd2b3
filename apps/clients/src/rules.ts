// One line for each decider and each policy of the service.

export * from './clients/client.js';
export * from './policies/count-visits-when-appointments-complete.js';
