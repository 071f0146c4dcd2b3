export * from './event.js';
export * from './identity.js';
export * from './problem.js';
export * from './text-cache.js';
