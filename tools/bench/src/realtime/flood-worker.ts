// The process that floods realtime, with as much as the limits of one member allow.

import { setTimeout as pause } from 'node:timers/promises';
import { serveOrders } from '../worker.js';
import type { RealtimeOrder } from './flood.js';
import { openSocket } from './socket.js';

/** Sockets of one member, the sender among them. */
const SOCKETS = 50;
/** Just below the limits on the messages per second of a socket and on the bytes per second of all receivers. */
const BROADCASTS_PER_SECOND = 90;
const BROADCAST = { text: 'a'.repeat(1_500) };
/** A socket that does not read is closed once its bytes fill the buffers on its way. */
const LARGE_PER_SECOND = 1.5;
const LARGE_BROADCAST = { text: 'a'.repeat(100_000) };

const SUBSCRIPTIONS = 8;
const NOTE = 'a'.repeat(60_000);
/** No note matches, so every pattern is judged to its end. */
const FILTER = `${Array(15)
  .fill(`notes=not.like.${'%a'.repeat(120)}b`)
  .join()},status=eq.cancelled`;
/** Statuses that refuse a write and do not end the flood. */
const REFUSALS = [429, 503, 504];

serveOrders(async (order: RealtimeOrder, begun): Promise<never> => {
  if (order.kind === 'filters') return filters(order, begun);
  const sockets = await Promise.all(Array.from({ length: SOCKETS - 1 }, () => openSocket(order)));
  const isRead = order.kind === 'broadcasts';
  if (!isRead) for (const socket of sockets) socket.pause();
  const [payload, perSecond] = isRead
    ? [BROADCAST, BROADCASTS_PER_SECOND]
    : [LARGE_BROADCAST, LARGE_PER_SECOND];
  const sender = await openSocket(order);
  begun();
  for (;;) {
    if (sender.isClosed()) throw new Error('the sender was closed');
    sender.broadcast(payload);
    await pause(1_000 / perSecond);
  }
});

async function filters(order: RealtimeOrder, begun: () => void): Promise<never> {
  const { origin, apikey, token } = order;
  const change = { event: '*', schema: 'public', table: 'appointments', filter: FILTER };
  await openSocket(order, Array(SUBSCRIPTIONS).fill(change));
  const headers = { apikey, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const rest = `${origin}/rest/v1/appointments`;
  const [{ id }] = (await (await fetch(`${rest}?select=id&limit=1`, { headers })).json()) as [{ id: string }];
  begun();
  for (let turn = 0; ; turn += 1) {
    const body = JSON.stringify({ notes: `${turn}${NOTE}` });
    const { ok, status } = await fetch(`${rest}?id=eq.${id}`, { method: 'PATCH', headers, body });
    if (!ok && !REFUSALS.includes(status)) throw new Error(`a note was answered ${status}`);
  }
}
