// The span of a request, from its head to its response. Without tracing, there is only the caller's `traceparent`.

import { isServerError } from '@practice/core';
import { childSpan, isTracing, traceIdOf, traceparentOf } from '@practice/tracing';
import type { OpenSpan } from '@practice/tracing';
import { isHealthCheck } from './request.js';
import type { HttpRequest, Stage } from './request.js';

/** Begins the span of a request if traces are made. Probes have none. */
export function beginSpan(request: HttpRequest): OpenSpan | undefined {
  if (!isTracing() || isHealthCheck(request)) return undefined;
  const parent = traceparentOf(request.headers['traceparent']);
  return childSpan('HTTP', { kind: 'server', parent });
}

/** Ends it. The attributes have the names of OpenTelemetry's conventions. */
export function endSpan({ span, request, target }: Stage, status: number): void {
  if (!span) return;
  const { method, routeOptions } = request;
  const route = (routeOptions as { readonly url?: string } | undefined)?.url ?? '';
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    ...(target !== undefined && { 'practice.resource': target }),
  };
  span.end(attributes, isServerError(status), `${method} ${route}`);
}

/** The `traceparent` for the services: of the request's span, or else the one that the caller sent. */
export const traceparentFor = ({ span, request }: Stage): string | undefined =>
  span ? span.traceparent : traceparentOf(request.headers['traceparent']);

/** The id of the trace that a request is part of, for its log line. */
export const traceIdFor = (stage: Stage): string | undefined => traceIdOf(traceparentFor(stage));
