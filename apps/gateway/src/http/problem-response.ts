// A problem as the caller reads it, in the shape of the part of the API that was called.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Problem, problemBody, problemFor } from '@practice/core';
import type { CommonHeaders } from './common-headers.js';
import { type HttpResponse, JSON_TYPE } from './responses.js';

/** The error shape of the data API: the four keys, and which server it came from. */
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

/** As PostgREST names an error to proxies (RFC 9209). */
export const proxyStatus = (code: string): string => `PostgREST; error=${code}`;

/** Problems of HTTP itself, before anyone has looked at what is asked. */
export const httpProblem = {
  badRequest: problemFor('PM400', { message: 'The request is not valid HTTP' }),
  badUrl: problemFor('PM400', { message: 'The URL has a malformed percent-encoding' }),
  timeout: problemFor('PM408'),
  bodyTooLarge: problemFor('PM413', { message: 'The body is larger than 1 MiB' }),
  urlTooLong: problemFor('PM414'),
  expectation: problemFor('PM417'),
  headersTooLarge: problemFor('PM431'),
} as const satisfies Record<string, Problem>;

// Bytes that are not valid HTTP never become a request. These responses are written to the connection itself.

/** Node's own error; Fastify's type for it knows `rawPacket` only as JSON would show it. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** A request line whose URL is longer than any we take. */
const LONG_URL = /^[A-Z]+ \S{16385}/;

/** Responses a connection whose bytes are no request, and closes it. */
export const answerClientError =
  (common: CommonHeaders) =>
  (error: ClientError, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    answerRaw(common, socket, problemOf(error));
  };

/** Writes a problem to a connection that has no response of Node, and closes it. */
export function answerRaw(common: CommonHeaders, socket: Socket, problem: Problem): void {
  const { status, headers, body } = closingResponse(common, problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
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
