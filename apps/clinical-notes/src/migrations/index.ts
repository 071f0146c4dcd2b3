import { Log1795222800000 } from './1795222800000-log.js';
import { ReadTables1795222800001 } from './1795222800001-read-tables.js';
import { Idempotency1795226400000 } from './1795226400000-idempotency.js';
import { Follower1795244400000 } from './1795244400000-follower.js';

/** In the order in which they run. */
export const migrations = [
  Log1795222800000,
  ReadTables1795222800001,
  Idempotency1795226400000,
  Follower1795244400000,
];
