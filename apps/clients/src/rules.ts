// One line for each decider, policy, handler of a function and other class that Nest makes.

export * from './clients/client.js';
export * from './erasures/erase-client.js';
export * from './erasures/erasure-steps.js';
export * from './erasures/erasure.js';
export * from './policies/count-visits-when-appointments-complete.js';
