// Bytes that are not valid HTTP never become a request. These responses are written to the connection itself.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@practice/core';
import type { CommonHeaders } from './common-headers.js';
import { httpProblem, problemResponse } from './problem-response.js';

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

interface ClosingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function closingResponse(common: CommonHeaders, problem: Problem): ClosingResponse {
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
