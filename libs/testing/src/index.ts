export * from './database.js';
export * from './given.js';
export * from './practice.js';
export * from './stack.js';
