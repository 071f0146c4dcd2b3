// Must come before anything that loads pg.
import './navigator.js';

export * from './append.js';
export { waitForLeaderLock } from './leader-lock.js';
export * from './log-table.js';
export * from './log-tables.js';
export * from './pipeline.js';
export * from './read-log.js';
export * from './relay.js';
export * from './statement.js';
export type { TextRow } from './text-query.js';
export * from './with-client.js';
