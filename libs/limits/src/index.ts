export * from './address.js';
export * from './counters.js';
export * from './open-counters.js';
export * from './throttle.js';
