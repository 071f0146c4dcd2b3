// The Fastify server: raw bodies, our request ids, and our own error format even for invalid HTTP.

import type { Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyRequest } from 'fastify';
import type { HttpResponse, Responses } from './responses.js';
import { authProblemResponse, tooBusy } from '@practice/contracts';
import { answerClientError, refuseExpectation } from './client-error.js';
import { optionsResponse } from './options.js';
import { InFlight } from './in-flight.js';
import { httpProblem, overload, problemResponse } from './problem-response.js';
import { requestIdOf } from './request-id.js';
import { isAuthCall } from './request.js';
import type { HttpRequest } from './request.js';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_URL_BYTES = 16 * 1024;
/** Larger than the URL limit, so that a URL that is too long gets 414. */
const MAX_HEAD_BYTES = 32 * 1024;
/** How often connections are checked for slow senders. */
const LOOK_FOR_SLOW_MS = 1000;
/** Most connections are idle between two requests of a browser; some send slowly. */
const CONNECTIONS_FOR_EACH = 8;
/** Minimum, so that a burst of connections gets 503 rather than no response. */
const FEWEST_CONNECTIONS = 1000;

const noQuery = {};

type ServerOptions = FastifyHttpOptions<Server>;

export interface ServerSettings {
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** How long a caller may take to send its headers, and the whole of its request. */
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  /** Concurrent requests; the next one is refused immediately. */
  readonly maxInFlight: number;
}

export function createServer(responses: Responses, settings: ServerSettings): FastifyAdapter {
  const adapter = new FastifyAdapter(serverOptions(responses, settings));
  const server = adapter.getInstance();
  for (const field of ['identity', 'quota', 'arrivedAt']) server.decorateRequest(field, null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', (request, reply, done) => {
    const received = asHttpRequest(request);
    const response = immediateResponse(received);
    if (response === null) done();
    else responses.send(received, reply, response);
  });
  const inFlight = new InFlight(settings.maxInFlight);
  // Runs after the body has arrived: a request still being sent costs no work and has its own time limit.
  server.addHook('preHandler', (request, reply, done) => {
    if (inFlight.enter(reply.raw) || isHealthCheck(request)) done();
    else responses.send(request as HttpRequest, reply, overloaded(request as HttpRequest));
  });
  server.server.maxConnections = Math.max(FEWEST_CONNECTIONS, settings.maxInFlight * CONNECTIONS_FOR_EACH);
  server.server.on('checkExpectation', refuseExpectation(responses.commonHeaders));
  return adapter;
}

const isHealthCheck = ({ raw }: FastifyRequest): boolean => raw.url === '/livez' || raw.url === '/readyz';

function overloaded({ raw, headers }: HttpRequest): HttpResponse {
  return isAuthCall(raw.url ?? '')
    ? authProblemResponse({ ...tooBusy, headers: overload.headers }, headers['x-supabase-api-version'])
    : problemResponse(overload);
}

/** Handles OPTIONS and checks that HTTP requires of every request, before routing. */
function immediateResponse(request: HttpRequest): HttpResponse | null {
  const { url = '', httpVersion } = request.raw;
  if (url.length > MAX_URL_BYTES) return problemResponse(httpProblem.urlTooLong);
  if (request.headers.host === undefined && httpVersion === '1.1')
    return problemResponse(httpProblem.badRequest);
  return request.method === 'OPTIONS' ? optionsResponse(request) : null;
}

function serverOptions(
  responses: Responses,
  { trustedProxies, headersWithinMs, requestWithinMs }: ServerSettings,
): ServerOptions {
  return {
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestWithinMs,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    // A request that arrives while the process stops is served; then its connection is closed.
    return503OnClosing: false,
    // A header that is sent twice becomes one invalid value instead of silently using the first.
    http: {
      joinDuplicateHeaders: true,
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false,
      headersTimeout: headersWithinMs,
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
    },
    routerOptions: { maxParamLength: MAX_URL_BYTES, querystringParser: () => noQuery },
    frameworkErrors: (error, request, reply) => {
      const problem = error.statusCode === 414 ? httpProblem.urlTooLong : httpProblem.badUrl;
      responses.send(asHttpRequest(request), reply, problemResponse(problem));
    },
    clientErrorHandler: answerClientError(responses.commonHeaders),
  };
}

function asHttpRequest(request: FastifyRequest | object): HttpRequest {
  const received = request as HttpRequest;
  received.arrivedAt = performance.now();
  return received;
}
