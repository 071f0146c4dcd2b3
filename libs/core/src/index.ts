export * from './event.js';
export * from './identity.js';
export * from './new-id.js';
export * from './opened-values.js';
export * from './problem.js';
export * from './process-time.js';
export * from './seal.js';
export * from './text-cache.js';
