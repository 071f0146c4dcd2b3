// An open loop: a request is due at its time, and its latency counts from then, so that a server which stands still is
// not spared what would have been asked meanwhile. (autocannon's own rates send each second's requests as one burst.)

import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpRequest, LoadResult, Pace } from './protocol.js';
import { createTally } from './tally.js';
import type { Tally } from './tally.js';

const SOCKETS = 64;
const LAST_ANSWERS_MS = 5_000;

export async function pace(order: Pace, measuring: () => void): Promise<LoadResult> {
  const { list, perSecond, warmupSeconds, seconds } = order;
  const tally = createTally(order, measuring);
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
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
      send({ agent, origin: order.origin, request: list[sent % list.length] as HttpRequest }, (status) => {
        open -= 1;
        settle(tally, status, dueAt);
      });
    }
    await pause(1);
  }
  const deadline = performance.now() + LAST_ANSWERS_MS;
  while (open > 0 && performance.now() < deadline) await pause(5);
  agent.destroy();
  return tally.result();
}

function settle(tally: Tally, status: number | Error, dueAt: number): void {
  if (typeof status === 'number') tally.answered(status, performance.now() - dueAt);
  else tally.failed(status.message);
}

interface Sending {
  readonly agent: Agent;
  readonly origin: string;
  readonly request: HttpRequest;
}

function send({ agent, origin, request }: Sending, done: (status: number | Error) => void): void {
  const { method, path, headers, body } = request;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const call = httpRequest(`${origin}${path}`, { agent, method, headers: { ...headers, ...length } });
  call.once('response', (answer) => {
    answer.resume();
    answer.once('end', () => done(answer.statusCode ?? 0));
  });
  call.once('error', done);
  call.end(body);
}
