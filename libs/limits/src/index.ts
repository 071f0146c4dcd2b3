export * from './counters.js';
export * from './throttle.js';
