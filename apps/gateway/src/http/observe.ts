// Counts the requests of this gateway. Labels come from routes and definitions, never from text of a caller.

import type { Server } from 'node:http';
import { isServerError } from '@practice/core';
import { beforeScrape, countUse, gauge, histogram } from '@practice/metrics';
import { childSpan, isTracing, type OpenSpan, traceIdOf, traceparentOf } from '@practice/tracing';
import { type HttpRequest, isHealthCheck, knownRouteOf, type Stage } from './request.js';

const duration = histogram('practice_http_request_duration_seconds');
const inFlight = gauge('practice_http_requests_in_flight');
const connections = gauge('practice_http_connections');

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'QUERY']);

/**
 * Counts a response.
 * @param ms milliseconds since the request arrived
 */
export function observeResponse({ request, target = '', identity }: Stage, status: number, ms: number): void {
  const { method } = request;
  const labels = {
    route: knownRouteOf(request) ?? '',
    resource: target,
    method: METHODS.has(method) ? method : 'other',
    status: String(status),
  };
  duration.observe(labels, ms / 1000);
  if (identity) countUse(identity.therapistId, ms);
}

/** Measures the server at each scrape. */
export function measureServer(server: Server, requests: { readonly size: number }): void {
  beforeScrape([inFlight, connections], async () => {
    inFlight.set(requests.size);
    connections.set(await countOf(server));
  });
}

const countOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

// The span of a request, from its head to its response. Without tracing, there is only the caller's `traceparent`.

/** Begins the span of a request if tracing is on. Health checks have no span. */
export function beginSpan(request: HttpRequest): OpenSpan | undefined {
  if (!isTracing() || isHealthCheck(request)) return undefined;
  const parent = traceparentOf(request.headers['traceparent']);
  return childSpan('HTTP', { kind: 'server', parent });
}

/** Ends the span of a request. The attributes have the names of OpenTelemetry's conventions. */
export function endSpan({ span, request, target }: Stage, status: number): void {
  if (!span) return;
  const { method } = request;
  const route = knownRouteOf(request) ?? '';
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    ...(target !== undefined && { 'practice.resource': target }),
  };
  span.end(attributes, isServerError(status), `${method} ${route}`);
}

/** The `traceparent` for the services: from the request's span, or else from the caller. */
export const traceparentFor = ({ span, request }: Stage): string | undefined =>
  span ? span.traceparent : traceparentOf(request.headers['traceparent']);

/** The id of the trace that a request is part of, for its log line. */
export const traceIdFor = (stage: Stage): string | undefined => traceIdOf(traceparentFor(stage));
