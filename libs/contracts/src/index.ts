export * from './catalog.js';
export * from './scheduling/index.js';
