// An open loop: a request is due at its time, and its latency counts from then, so that a server which stands still is
// not spared what would have been asked meanwhile. (autocannon's own rates send each second's requests as one burst.)

import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { HttpRequest, LoadResult, Pace } from './protocol.js';
import { createTally } from './tally.js';
import type { Tally } from './tally.js';

const SOCKETS = 64;
const LAST_ANSWERS_MS = 5_000;

export async function pace(order: Pace, measuring: () => void): Promise<LoadResult> {
  const { list, perSecond, warmupSeconds, seconds } = order;
  const tally = createTally(order, measuring);
  // Node's own client would take more of the processors than the server that is measured.
  const pool = new Pool(order.origin, { connections: SOCKETS, pipelining: 1 });
  const total = Math.floor(perSecond * (warmupSeconds + seconds));
  const began = performance.now();
  let sent = 0;
  let open = 0;
  tally.begin();
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const dueAt = began + (sent / perSecond) * 1000;
      open += 1;
      send(pool, list[sent % list.length] as HttpRequest, (status) => {
        open -= 1;
        settle(tally, status, dueAt);
      });
    }
    await pause(1);
  }
  const deadline = performance.now() + LAST_ANSWERS_MS;
  while (open > 0 && performance.now() < deadline) await pause(5);
  await pool.destroy();
  return tally.result();
}

function settle(tally: Tally, status: number | Error, dueAt: number): void {
  if (typeof status === 'number') tally.answered(status, performance.now() - dueAt);
  else tally.failed(status.message);
}

function send(
  pool: Pool,
  { method, path, headers, body }: HttpRequest,
  done: (status: number | Error) => void,
): void {
  let status = 0;
  pool.dispatch(
    { method, path, headers, body: body ?? null },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => void (status = code),
      onResponseData: () => undefined,
      onResponseEnd: () => done(status),
      onResponseError: (_controller, error) => done(error),
    },
  );
}
