// Problems as responses of the data API, also for bytes that are not valid HTTP.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { authProblemResponse } from '@practice/contracts';
import { type Problem, problemBody, problemFor } from '@practice/core';
import type { CommonHeaders } from './common-headers.js';
import { destroyLater } from './linger.js';
import { type HttpRequest, isAuthCall } from './request.js';
import { type HttpResponse, JSON_TYPE } from './responses.js';

/** The response for a problem in the error format of the data API, with `Proxy-Status`. */
export function problemResponse(problem: Problem): HttpResponse & { readonly body: string } {
  return {
    status: problem.status,
    code: problem.code,
    headers: {
      'Content-Type': JSON_TYPE,
      'Proxy-Status': proxyStatus(problem.code),
      ...problem.headers,
    },
    body: problemBody(problem),
  };
}

/** The response for a problem in the error format of the API that was called. */
export const refusalResponse = (problem: Problem, request: HttpRequest): HttpResponse =>
  isAuthCall(request)
    ? { ...authProblemResponse(problem, request.headers['x-supabase-api-version']), code: problem.code }
    : problemResponse(problem);

/** The `Proxy-Status` of an error, as PostgREST sends it (RFC 9209). */
export const proxyStatus = (code: string): string => `PostgREST; error=${code}`;

/** Problems of HTTP itself, which are found before the request is parsed. */
export const httpProblem = {
  badRequest: problemFor('PM400', { message: 'The request is not valid HTTP' }),
  badUrl: problemFor('PM400', { message: 'The URL has a malformed percent-encoding' }),
  timeout: problemFor('PM408'),
  urlTooLong: problemFor('PM414'),
  encoded: problemFor('PM415', { headers: { 'Accept-Encoding': 'identity' } }),
  expectation: problemFor('PM417'),
  headersTooLarge: problemFor('PM431'),
} as const satisfies Record<string, Problem>;

export const bodyTooLarge = (most: number): Problem =>
  problemFor('PM413', { message: `The body is larger than ${most / 1024} KiB` });

// Bytes that are not valid HTTP never become a request. These responses are written to the connection itself.

/** Node's error. Fastify's type declares `rawPacket` in the JSON form of a buffer, but Node passes the buffer. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** A request line with a URL over the limit. */
const LONG_URL = /^[A-Z]+ \S{16385}/;

/** Answers a connection whose bytes are not a valid request, and closes it. */
export const answerClientError =
  (common: CommonHeaders) =>
  (error: ClientError, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    answerRaw(common, socket, problemOf(error));
  };

/** Writes a problem to a connection without a `ServerResponse`, and closes it. */
export function answerRaw(common: CommonHeaders, socket: Socket, problem: Problem): void {
  const { status, headers, body } = closingResponse(common, problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  destroyLater(socket);
}

/** Responds to an `Expect` header that the gateway cannot meet. */
export const refuseExpectation =
  (common: CommonHeaders) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    const { status, headers, body } = closingResponse(common, httpProblem.expectation);
    response.writeHead(status, headers).end(body);
  };

function closingResponse(common: CommonHeaders, problem: Problem) {
  const { status, headers, body } = problemResponse(problem);
  return {
    status,
    headers: {
      ...common.ofNoRequest(randomUUID()),
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
    body,
  };
}

function problemOf({ code, rawPacket }: ClientError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpProblem.timeout;
  if (code !== 'HPE_HEADER_OVERFLOW') return httpProblem.badRequest;
  return Buffer.isBuffer(rawPacket) && LONG_URL.test(rawPacket.toString('latin1'))
    ? httpProblem.urlTooLong
    : httpProblem.headersTooLarge;
}
