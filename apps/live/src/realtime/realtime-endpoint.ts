// The endpoint of realtime: sockets at `/realtime/v1/websocket`, and broadcasts over HTTP.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Problem, problemFor, processTime, reject, Rejection } from '@practice/core';
import { verify } from '../caller.js';
import type { Endpoint, LiveRequest, LiveRuntime } from '../endpoint.js';
import { notFound, refuseUpgrade, wrongMethod } from '../server.js';
import { Allowances } from './allowance.js';
import { Changes } from './changes/practice-changes.js';
import { maySend, scopeMissing, tooManyBytes } from './channels/reasons.js';
import { Topics } from './channels/topics.js';
import { isBroadcastPath, readBroadcasts } from './http-broadcast.js';
import { limits } from './limits.js';
import { serializerOf } from './protocol/serializer.js';
import { Sockets } from './sockets/sockets.js';

const PREFIX = '/realtime/v1';
const SOCKET_PATH = `${PREFIX}/websocket`;

const upgradeNeeded: Problem = problemFor('PM400', {
  status: 426,
  message: 'This path takes WebSockets only',
  headers: { Upgrade: 'websocket' },
});
const unknownVersion: Problem = problemFor('PM400', { message: 'vsn must be 1.0.0 or 2.0.0' });

export class RealtimeEndpoint implements Endpoint {
  readonly prefix = PREFIX;
  private readonly topics: Topics;
  private readonly sockets: Sockets;

  constructor(private readonly runtime: LiveRuntime) {
    const { logger, authentication } = runtime;
    const allowances = new Allowances();
    this.topics = new Topics(runtime, allowances);
    const changes = new Changes(runtime, allowances);
    this.sockets = new Sockets({ authentication, topics: this.topics, changes, allowances }, logger);
  }

  async handle(request: LiveRequest, response: ServerResponse): Promise<void> {
    const path = request.url.pathname;
    if (path === SOCKET_PATH) reject(upgradeNeeded);
    if (!isBroadcastPath(path)) reject(notFound);
    if (request.method !== 'POST') reject(wrongMethod('POST'));
    const { authentication } = this.runtime;
    authentication.requireApiKey(request.headers, request.raw.url ?? '');
    const { raw, headers } = request;
    const { identity } = await verify(authentication, request);
    if (!maySend(identity)) reject(scopeMissing);
    const body = await bodyOf(raw);
    const contentType = String(headers['content-type'] ?? '');
    const reading = readBroadcasts(path, contentType, body);
    const broadcasts = await processTime.run(identity, reading);
    if (!this.topics.broadcast(identity.therapistId, broadcasts))
      reject('PM004', { message: tooManyBytes, headers: { 'Retry-After': '1' } });
    response.writeHead(202, { 'Content-Length': 0 }).end();
  }

  /** Accepts a socket. The token is not checked here, but at each join. */
  upgrade(request: LiveRequest, socket: Duplex, head: Buffer): void {
    const { url, headers, raw } = request;
    try {
      if (url.pathname !== SOCKET_PATH) reject(notFound);
      this.runtime.authentication.requireApiKey(headers, raw.url ?? '');
      const serializer = serializerOf(url.searchParams.get('vsn')) ?? reject(unknownVersion);
      this.sockets.accept({ request, stream: socket, head, serializer });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      refuseUpgrade(socket, error.problem);
    }
  }

  close(): void {
    this.sockets.close();
    this.topics.close();
  }
}

/**
 * The body of a request, which the gateway limits to 1 MiB. All of it is read before its size is checked: while the gateway still
 * sends the body, a response would not reach it.
 * @throws {Rejection} PM413 if it is too large
 */
async function bodyOf(raw: IncomingMessage): Promise<Buffer> {
  const body = await buffer(raw);
  return body.length > limits.messageBytes
    ? reject('PM413', { message: `A broadcast may have at most ${limits.messageBytes} bytes` })
    : body;
}
