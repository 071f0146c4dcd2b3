// Counts the requests of this gateway. Labels come from routes and definitions; nothing of them is text of a caller.

import type { Server } from 'node:http';
import { beforeScrape, countUse, gauge, histogram } from '@practice/metrics';
import type { Stage } from './request.js';

const duration = histogram('practice_http_request_duration_seconds');
const inFlight = gauge('practice_http_requests_in_flight');
const connections = gauge('practice_http_connections');

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * Counts a response.
 * @param ms since the request came in
 */
export function observeResponse({ request, target = '', identity }: Stage, status: number, ms: number): void {
  const { method, routeOptions } = request;
  const labels = {
    // Absent for bytes that never became a request, and for a path without a route.
    route: (routeOptions as { readonly url?: string } | undefined)?.url ?? '',
    resource: target,
    method: METHODS.has(method) ? method : 'other',
    status: String(status),
  };
  duration.observe(labels, ms / 1000);
  if (identity) countUse(identity.therapistId, ms);
}

/** Measures the server at each scrape. */
export function measureServer(server: Server, requests: { readonly size: number }): void {
  beforeScrape(['practice_http_requests_in_flight', 'practice_http_connections'], async () => {
    inFlight.set(requests.size);
    connections.set(await countOf(server));
  });
}

const countOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
