export * from './decider.js';
export * from './event.js';
export * from './identity.js';
export * from './policy.js';
export * from './problem.js';
