// The Fastify server. It leaves bodies unread, sets our request ids, and uses our error format even for invalid HTTP.

import type { Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { networkOf } from '@practice/limits';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import type { GatewayConfig } from './gateway.config.js';
import { connectionsOf, type InFlight, limitConnections, removePorts, Shares } from './http/capacity.js';
import {
  answerClientError,
  httpProblem,
  problemResponse,
  refusalResponse,
  refuseExpectation,
} from './http/problem-response.js';
import { type HttpRequest, isAuthCall, isHealthCheck, isWebSocket, requestIdOf } from './http/request.js';
import type { HttpResponse, Responses } from './http/responses.js';
import { overloadOf } from './limits/limits.js';
import { earlyResponse, receive } from './pipeline.js';

const MAX_PARAM_BYTES = 16 * 1024;
/** Larger than the limit of a URL, so that a URL that is too long gets 414. */
export const MAX_HEAD_BYTES = 32 * 1024;
/** How often connections are checked for slow senders. */
const LOOK_FOR_SLOW_MS = 1000;
/** Connections per request in flight. Most connections are idle between two requests of a browser, and some send slowly. */
const CONNECTIONS_FOR_EACH = 8;
/** The minimum of the limit, so that a burst of connections gets 503 rather than no response. */
const FEWEST_CONNECTIONS = 1000;

const noQuery = {};

const noCompiler = (): never => {
  throw new Error('no route has a schema');
};

type ServerOptions = FastifyHttpOptions<Server>;

class Adapter extends FastifyAdapter {
  constructor(
    private readonly responses: Responses,
    options: ServerOptions,
  ) {
    super(options);
  }

  /** Sends the response of a handler, or nothing if its caller has disconnected. */
  override reply(reply: FastifyReply, response: HttpResponse | undefined): FastifyReply {
    if (response !== undefined) this.responses.send(reply.request as HttpRequest, reply, response);
    else if (!reply.raw.destroyed) throw new Error('a handler returned no response');
    return reply;
  }
}

export function createServer(
  responses: Responses,
  settings: GatewayConfig,
  inFlight: InFlight,
): FastifyAdapter {
  const adapter = new Adapter(responses, serverOptions(responses, settings));
  const server = adapter.getInstance();
  server.decorateRequest('stage', null);
  server.removeAllContentTypeParsers();
  // `Bodies` reads the body.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.addHook('onRequest', (request, reply, done) => {
    const received = receive(request as HttpRequest, reply);
    if (settings.trustedProxies.length > 0) removePorts(request.raw);
    const response = earlyResponse(received);
    if (response === null) done();
    else responses.send(received.request, reply, response);
  });
  server.addHook('preHandler', (request, reply, done) => {
    if (!inFlight.isFull || isHealthCheck(request)) done();
    else responses.send(request as HttpRequest, reply, overloaded(request as HttpRequest));
  });
  limitEachAddress(server, responses, settings);
  server.server.maxConnections = Math.max(FEWEST_CONNECTIONS, settings.maxInFlight * CONNECTIONS_FOR_EACH);
  server.server.on('checkExpectation', refuseExpectation(responses.commonHeaders));
  return adapter;
}

function limitEachAddress(
  server: FastifyInstance,
  responses: Responses,
  { trustedProxies, connectionsPerAddress }: GatewayConfig,
): void {
  const isOfProxy = connectionsOf(trustedProxies);
  limitConnections(server.server, new Shares(connectionsPerAddress), isOfProxy);
  if (trustedProxies.length === 0) return;
  const requests = new Shares(connectionsPerAddress);
  server.addHook('onRequest', (request, reply, done) => {
    if (!isOfProxy(request.raw.socket)) return done();
    if (requests.takeOne(networkOf(request.ip), reply.raw)) done();
    else responses.send(request as HttpRequest, reply, overloaded(request as HttpRequest));
  });
}

const overloaded = (request: HttpRequest): HttpResponse =>
  refusalResponse(overloadOf(isAuthCall(request)), request);

function serverOptions(
  responses: Responses,
  { trustedProxies, headersWithinMs, requestWithinMs }: GatewayConfig,
): ServerOptions {
  return {
    requestTimeout: requestWithinMs,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    // A request that arrives while the process stops is served; then its connection is closed.
    return503OnClosing: false,
    // A header that is sent twice becomes one invalid value. By default, Node would silently use the first value.
    http: {
      joinDuplicateHeaders: true,
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false,
      // Node refuses a limit for headers beyond the limit of the request, which would have no effect.
      headersTimeout: Math.min(headersWithinMs, requestWithinMs),
      requestTimeout: requestWithinMs,
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
      // Node 22.21, 24.9 and later call this. Earlier versions emit every upgrade, and `passUpgrades` ignores the others itself.
      ...{ shouldUpgradeCallback: isWebSocket },
    },
    // No route has a schema. By default, Fastify would load a compiler of schemas at each start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: MAX_PARAM_BYTES, querystringParser: () => noQuery },
    frameworkErrors: (error, request, reply) => {
      const problem = error.statusCode === 414 ? httpProblem.urlTooLong : httpProblem.badUrl;
      receive(request as object as HttpRequest, reply);
      responses.send(request as object as HttpRequest, reply, problemResponse(problem));
    },
    clientErrorHandler: answerClientError(responses.commonHeaders),
  };
}
