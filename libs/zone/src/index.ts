export * from './days.js';
export * from './wall-time.js';
