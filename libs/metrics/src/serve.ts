import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { listen, type ListenOptions, type Listening } from '@practice/process';
import { collectDefaultMetrics } from 'prom-client';
import { busiest } from './busiest.js';
import { beforeScrape, gauge, registry, scrape } from './instruments.js';

/** The interval at which the delay of the event loop is measured. A shorter interval wakes an idle process more often. */
const LOOP_DELAY_EVERY_MS = 50;

/**
 * Serves GET `/metrics` in the text format of Prometheus, with the instruments of this process and Node's own metrics (memory, garbage
 * collection, event loop, CPU). Serves GET `/practices` with the busiest practices as JSON. Other paths get 404.
 * @param address callers of the API must not reach it, because metrics reveal how much the system is used
 * @throws {Error} when it cannot listen on this address
 */
export async function serveMetrics(address: ListenOptions): Promise<Listening> {
  measureNode();
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url : undefined;
    if (path === '/practices')
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(busiest()));
    if (path !== '/metrics') return response.writeHead(404).end();
    return void scrape().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const { url, close } = await listen(server, address);
  return { url: `${url}/metrics`, close };
}

let isMeasured = false;

/** Registers Node's own metrics. Does so only once in a process, even if it serves its metrics again. */
function measureNode(): void {
  if (isMeasured) return;
  isMeasured = true;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS });
  measureUtilization();
}

function measureUtilization(): void {
  const utilization = gauge('practice_event_loop_utilization');
  let last = performance.eventLoopUtilization();
  beforeScrape([utilization], () => {
    const now = performance.eventLoopUtilization();
    utilization.set(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  });
}
