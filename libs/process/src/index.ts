export * from './disk-space.js';
export * from './health.js';
export * from './listen.js';
export * from './logging.js';
export * from './message-of.js';
export * from './stop.js';
export * from './troubles.js';
