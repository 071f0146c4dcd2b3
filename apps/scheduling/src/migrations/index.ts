import { Log1795219200000 } from './1795219200000-log.js';
import { ReadTables1795219200001 } from './1795219200001-read-tables.js';

/** In the order in which they run. */
export const migrations = [Log1795219200000, ReadTables1795219200001];
