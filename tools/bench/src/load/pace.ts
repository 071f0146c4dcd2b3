// A load with an open loop: each request is due at a fixed time, and its latency counts from then. A server that pauses therefore
// also pays for the requests that were due during the pause. wrk has no open loop.

import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { latencyOf } from '../report/statistics.js';
import { serveOrders } from '../worker.js';
import type { HttpRequest, LoadResult, Pace } from './protocol.js';

const SOCKETS = 64;
const LAST_ANSWERS_MS = 5_000;

serveOrders<Pace, LoadResult>(async (order, measuring) => {
  const { origin, list, perSecond, warmupSeconds, seconds } = order;
  // Node's own client would take more of the processors than the server that is measured.
  const pool = new Pool(origin, { connections: SOCKETS, pipelining: 1 });
  const latencies: number[] = [];
  const failures: string[] = [];
  const began = performance.now();
  const from = began + warmupSeconds * 1000;
  setTimeout(measuring, warmupSeconds * 1000);
  const total = Math.floor(perSecond * (warmupSeconds + seconds));
  let [sent, open] = [0, 0];
  const done = (outcome: number | Error, dueAt: number): void => {
    open -= 1;
    if (typeof outcome !== 'number') failures.push(outcome.message);
    else if (outcome < 200 || outcome > 299) failures.push(`status ${outcome}`);
    const now = performance.now();
    if (now >= from && now < from + seconds * 1000) latencies.push(now - dueAt);
  };
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const dueAt = began + (sent / perSecond) * 1000;
      open += 1;
      send(pool, list[sent % list.length] as HttpRequest, (outcome) => done(outcome, dueAt));
    }
    await pause(1);
  }
  const deadline = performance.now() + LAST_ANSWERS_MS;
  while (open > 0 && performance.now() < deadline) await pause(5);
  await pool.destroy();
  if (failures.length > 0) throw new Error(`${failures.length} requests failed: ${failures[0]}`);
  return { completed: latencies.length, seconds, ...latencyOf(latencies) };
});

function send(
  pool: Pool,
  { method, path, headers, body }: HttpRequest,
  done: (outcome: number | Error) => void,
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
