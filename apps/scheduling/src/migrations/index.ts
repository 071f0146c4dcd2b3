import { Log1795219200000 } from './1795219200000-log.js';
import { ReadTables1795219200001 } from './1795219200001-read-tables.js';
import { Mirror1795222800000 } from './1795222800000-mirror.js';
import { Idempotency1795226400000 } from './1795226400000-idempotency.js';
import { Follower1795244400000 } from './1795244400000-follower.js';

/** In the order in which they run. */
export const migrations = [
  Log1795219200000,
  ReadTables1795219200001,
  Mirror1795222800000,
  Idempotency1795226400000,
  Follower1795244400000,
];
