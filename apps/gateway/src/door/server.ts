// The HTTP server as Fastify runs it: raw bodies, our ids, and answers of ours also to what is not valid HTTP.

import type { Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyRequest } from 'fastify';
import type { Answer, Answers } from './answers.js';
import { authProblemAnswer } from '../auth/auth-answer.js';
import { tooBusy } from '../auth/errors.js';
import { answerClientError, refuseExpectation } from './client-error.js';
import { optionsAnswer } from './options.js';
import { InFlight } from './in-flight.js';
import { httpProblem, overload, problemAnswer } from './problem-answer.js';
import { requestIdOf } from './request-id.js';
import { isAuthCall } from './request.js';
import type { DoorRequest } from './request.js';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_URL_BYTES = 16 * 1024;
/** Room for a URL that is too long, so that it can be told so. */
const MAX_HEAD_BYTES = 32 * 1024;
/** How often connections are looked through for those that send too slowly. */
const LOOK_FOR_SLOW_MS = 1000;
/** Most connections are idle between two requests of a browser; some send slowly. */
const CONNECTIONS_FOR_EACH = 8;
/** A burst is to be told that there is too much to do, rather than nothing. */
const FEWEST_CONNECTIONS = 1000;

const noQuery = {};

type ServerOptions = FastifyHttpOptions<Server>;

export interface Door {
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** How long a caller may take to send its headers, and the whole of its request. */
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  /** Requests that are answered at the same time; one more is refused at once. */
  readonly maxInFlight: number;
}

export function createServer(answers: Answers, door: Door): FastifyAdapter {
  const adapter = new FastifyAdapter(serverOptions(answers, door));
  const server = adapter.getInstance();
  for (const field of ['identity', 'quota', 'arrivedAt']) server.decorateRequest(field, null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', (request, reply, done) => {
    const door = asDoorRequest(request);
    const answer = answerAtOnce(door);
    if (answer === null) done();
    else answers.send(door, reply, answer);
  });
  const inFlight = new InFlight(door.maxInFlight);
  // Behind the body: what is still being sent costs no work, and is limited in time.
  server.addHook('preHandler', (request, reply, done) => {
    if (inFlight.enter(reply.raw) || isHealthCheck(request)) done();
    else answers.send(request as DoorRequest, reply, overloaded(request as DoorRequest));
  });
  server.server.maxConnections = Math.max(FEWEST_CONNECTIONS, door.maxInFlight * CONNECTIONS_FOR_EACH);
  server.server.on('checkExpectation', refuseExpectation(answers.commonHeaders));
  return adapter;
}

const isHealthCheck = ({ raw }: FastifyRequest): boolean => raw.url === '/livez' || raw.url === '/readyz';

function overloaded({ raw, headers }: DoorRequest): Answer {
  return isAuthCall(raw.url ?? '')
    ? authProblemAnswer({ ...tooBusy, headers: overload.headers }, headers['x-supabase-api-version'])
    : problemAnswer(overload);
}

/** What needs no route: OPTIONS, and what HTTP asks of every request. */
function answerAtOnce(request: DoorRequest): Answer | null {
  const { url = '', httpVersion } = request.raw;
  if (url.length > MAX_URL_BYTES) return problemAnswer(httpProblem.urlTooLong);
  if (request.headers.host === undefined && httpVersion === '1.1')
    return problemAnswer(httpProblem.badRequest);
  return request.method === 'OPTIONS' ? optionsAnswer(request) : null;
}

function serverOptions(
  answers: Answers,
  { trustedProxies, headersWithinMs, requestWithinMs }: Door,
): ServerOptions {
  return {
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestWithinMs,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    // A request that comes while we stop is served, and its connection closed behind it.
    return503OnClosing: false,
    // A header given twice is then one value that is neither, rather than whichever came first.
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
      answers.send(asDoorRequest(request), reply, problemAnswer(problem));
    },
    clientErrorHandler: answerClientError(answers.commonHeaders),
  };
}

function asDoorRequest(request: FastifyRequest | object): DoorRequest {
  const door = request as DoorRequest;
  door.arrivedAt = performance.now();
  return door;
}
