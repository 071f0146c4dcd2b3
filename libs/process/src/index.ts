export * from './logging.js';
export * from './stop.js';
