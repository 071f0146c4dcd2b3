export * from './read.js';
export * from './settings.js';
