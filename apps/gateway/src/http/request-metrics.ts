// Counts the requests of this gateway. Labels come from routes and definitions; nothing of them is text of a caller.

import type { Server } from 'node:http';
import { beforeScrape, counter, countUse, gauge, histogram } from '@practice/metrics';
import type { HttpRequest } from './request.js';

const duration = histogram('practice_http_request_duration_seconds');
const refused = counter('practice_requests_refused_total');
const inFlight = gauge('practice_http_requests_in_flight');
const connections = gauge('practice_http_connections');

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * Counts a response.
 * @param ms since the request came in
 */
export function observeResponse(request: HttpRequest, status: number, ms: number): void {
  const { method, routeOptions, target } = request;
  const labels = {
    // Absent for bytes that never became a request, and for a path without a route.
    route: (routeOptions as { readonly url?: string } | undefined)?.url ?? '',
    resource: target ?? '',
    method: METHODS.has(method) ? method : 'other',
    status: String(status),
  };
  duration.observe(labels, ms / 1000);
  if (request.identity) countUse(request.identity.therapistId, ms);
}

/** Counts a request that a limit refuses. */
export function observeRefusal(limit: 'reads' | 'writes' | 'auth' | 'overload'): void {
  refused.inc({ limit });
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
