import { startWorker } from '../worker.js';
import type { Worker } from '../worker.js';
import type { LoadResult, Order } from './protocol.js';

/** It notes the end of the warm-up, and fails if a request was not answered as it should be. */
export type Load = Worker<Order, LoadResult>;

/** Starts the process that makes the load. */
export const startLoad = (): Load => startWorker('load/worker');
