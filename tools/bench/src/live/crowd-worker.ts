// The process that holds open connections.

import { openSocket } from '../realtime/socket.js';
import { atOnce } from '../seed/seed.js';
import { serveOrders } from '../worker.js';
import type { CrowdOrder, Received } from './crowd.js';
import { CHANGES } from './delays.js';
import { openStream } from './stream.js';

const AT_ONCE = 16;
/** The interval of supabase-js. */
const HEARTBEAT_MS = 25_000;

let [events, lastAt] = [0, 0];

serveOrders<CrowdOrder, Received>(async (order) => {
  if (order.kind !== 'count') {
    const { kind, origin, apikey, tokens } = order;
    await atOnce(AT_ONCE, tokens.length, async (index) => {
      const caller = { origin, apikey, token: tokens[index] as string };
      if (kind === 'streams') return openStream({ ...caller, onEvents });
      const { beat } = await openSocket(caller, CHANGES, () => onEvents(1));
      // Sockets that were opened together beat at different times.
      setTimeout(() => setInterval(() => void beat(), HEARTBEAT_MS), Math.random() * HEARTBEAT_MS);
    });
  }
  return { events, lastAt };
});

function onEvents(count: number): void {
  events += count;
  lastAt = Date.now();
}
