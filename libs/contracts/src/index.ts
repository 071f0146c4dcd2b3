export * from './aggregates.js';
export * from './catalog.js';
export * from './events.js';
export * from './identity/account-routes.js';
export * from './identity/auth-problem.js';
export * from './identity/gateway-state.js';
export * from './reference.js';
export * from './streams.js';
