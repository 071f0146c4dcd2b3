// The process that holds open connections.

import { Agent, request } from 'node:http';
import { openSocket, type RealtimeCaller } from '../realtime/socket.js';
import { atOnce } from '../seed/seed.js';
import { serveOrders } from '../worker.js';
import type { CrowdOrder, Received } from './crowd.js';
import { CHANGES } from './delays.js';

const AT_ONCE = 16;
/** The interval of supabase-js. */
const HEARTBEAT_MS = 25_000;
const EVENT = '\nevent: ';

const agent = new Agent({ keepAlive: false });

let [events, lastAt] = [0, 0];

serveOrders<CrowdOrder, Received>(async (order) => {
  if (order.kind !== 'count') {
    const { kind, origin, apikey, tokens } = order;
    await atOnce(AT_ONCE, tokens.length, async (index) => {
      const caller = { origin, apikey, token: tokens[index] as string };
      if (kind === 'streams') return openStream(caller);
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

/** Opens a stream of the feed, and counts its events from now on. @throws {Error} when it is refused */
function openStream({ origin, apikey, token }: RealtimeCaller): Promise<void> {
  const headers = { accept: 'text/event-stream', apikey, authorization: `Bearer ${token}` };
  return new Promise((resolve, fail) => {
    const call = request(`${origin}/events/v1/?cursor=now`, { agent, headers });
    call.once('error', fail).once('response', (response) => {
      if (response.statusCode !== 200) return fail(new Error(`a stream was answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('latin1').on('data', (piece: string) => {
        const parts = (rest + piece).split(EVENT);
        rest = (parts.at(-1) ?? '').slice(-EVENT.length);
        if (parts.length > 1) onEvents(parts.length - 1);
      });
      resolve();
    });
    call.end();
  });
}
