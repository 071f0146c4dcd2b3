export * from './event.js';
export * from './identity.js';
export * from './problem.js';
