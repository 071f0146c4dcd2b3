// The HTTP server of a live process. Only gateways reach it, so it has no own limits against floods of requests.

import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { internalError, problemBody, problemFor, Rejection, type Problem } from '@practice/core';
import type { Logger } from '@practice/process';
import type { Endpoint, LiveRequest } from './endpoint.js';

const JSON_TYPE = 'application/json; charset=utf-8';
export const notFound: Problem = problemFor('PGRST125');
/** @param allow the methods of the path, in the format of the `Allow` header */
export const wrongMethod = (allow: string): Problem =>
  problemFor('PGRST117', { message: 'Unsupported HTTP method', headers: { Allow: allow } });
const noUpgrade: Problem = problemFor('PM400', { message: 'This path takes no upgrade' });

/** @param isReady whether everything that the process needs is available */
export function createLiveServer(
  endpoints: readonly Endpoint[],
  isReady: () => boolean,
  logger: Logger,
): Server {
  const endpointOf = ({ pathname }: URL): Endpoint | undefined =>
    endpoints.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`));
  const answer = async (raw: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = requestOf(raw);
    const { pathname } = request.url;
    if (pathname === '/livez' || pathname === '/readyz')
      return sendHealth(response, pathname === '/livez' || isReady());
    const endpoint = endpointOf(request.url);
    if (endpoint === undefined) return sendProblem(response, notFound);
    await endpoint.handle(request, response);
  };
  const server = createServer((raw, response) => {
    answer(raw, response).catch((error: unknown) => fail(error, raw, response));
  });
  const fail = (error: unknown, { headers }: IncomingMessage, response: ServerResponse): void => {
    if (error instanceof Rejection) return sendProblem(response, error.problem);
    const requestId = String(headers['x-request-id'] ?? '');
    logger.error({ err: error, requestId }, 'request failed');
    sendProblem(response, internalError(requestId));
  };
  server.on('upgrade', (raw, socket, head) => {
    socket.on('error', () => socket.destroy());
    const request = requestOf(raw);
    const endpoint = endpointOf(request.url);
    if (endpoint?.upgrade === undefined) refuseUpgrade(socket, endpoint === undefined ? notFound : noUpgrade);
    else endpoint.upgrade(request, socket, head);
  });
  return server;
}

/** Refuses an upgrade with an HTTP response. */
export function refuseUpgrade(socket: Duplex, problem: Problem): void {
  const body = problemBody(problem);
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...problem.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = problem;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) return void response.destroy();
  const body = problemBody(problem);
  response.writeHead(problem.status, {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'Proxy-Status': `PostgREST; error=${problem.code}`,
    ...problem.headers,
  });
  response.end(body);
}

function sendHealth(response: ServerResponse, isWell: boolean): void {
  response.writeHead(isWell ? 200 : 503, { 'Content-Type': JSON_TYPE });
  response.end(JSON.stringify({ status: isWell ? 'ok' : 'unavailable' }));
}

function requestOf(raw: IncomingMessage): LiveRequest {
  const { headers, method = 'GET', socket } = raw;
  // A path after a host is always valid. A path `//` with a base URL is invalid, and the error would end the process in an upgrade.
  const path = raw.url?.startsWith('/') ? raw.url : '/';
  const url = new URL(`http://live${path}`);
  const ip = String(headers['x-forwarded-for'] ?? socket.remoteAddress ?? '');
  return { raw, method, headers, url, ip, id: String(headers['x-request-id'] ?? '') };
}
