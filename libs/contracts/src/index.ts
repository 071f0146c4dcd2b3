export * from './aggregates.js';
export * from './catalog.js';
export * from './events.js';
export * from './reference.js';
