export * from './database.js';
export * from './eventually.js';
export * from './given.js';
export * from './practice.js';
export * from './reactions.js';
export * from './scratch-service.js';
export * from './stack.js';
