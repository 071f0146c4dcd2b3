// Must come before anything that loads pg.
import './navigator.js';

export * from './acting.js';
export * from './advisory-lock.js';
export * from './append.js';
export * from './by-key.js';
export * from './chain.js';
export * from './check-log.js';
export { tryLeaderLock, waitForLeaderLock } from './leader-lock.js';
export * from './key-encryption.js';
export * from './log-root.js';
export * from './log-table.js';
export * from './log-tables.js';
export * from './new-event.js';
export * from './personal-keys.js';
export * from './personal-values.js';
export * from './pipeline.js';
export * from './practice-keys.js';
export { askForRefill, findLoss, isRefillOpen, relayed } from './published.js';
export type { PublishedMessage } from './published.js';
export * from './read-log.js';
export * from './relay.js';
export * from './restorations.js';
export * from './row-security.js';
export * from './seal-log.js';
export * from './statement.js';
export type { TextRow } from './text-query.js';
export * from './with-client.js';
