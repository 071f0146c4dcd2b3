export * from './catalog.js';
export * from './clients/index.js';
export * from './clinical-notes/index.js';
export * from './events.js';
export * from './finance/index.js';
export * from './gateway/index.js';
export * from './reference.js';
export * from './scheduling/index.js';
