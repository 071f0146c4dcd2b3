// One line for each decider, policy and handler of a function of the service.

export * from './clients/client.js';
export * from './erasures/erase-client.js';
export * from './erasures/erasure.js';
export * from './policies/count-visits-when-appointments-complete.js';
