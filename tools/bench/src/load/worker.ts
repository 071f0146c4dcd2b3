// The process that makes the load.

import { serveOrders } from '../worker.js';
import { pace } from './pace.js';
import type { LoadResult, Order } from './protocol.js';
import { saturate } from './saturate.js';

serveOrders<Order, LoadResult>((order, measuring) =>
  order.kind === 'saturate' ? saturate(order, measuring) : pace(order, measuring),
);
