// Passes the WebSockets of callers on to live processes. The limits of connections apply as for requests. The live
// process authenticates the caller.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import proxyAddr from '@fastify/proxy-addr';
import { networkOf } from '@practice/limits';
import type { Logger } from '@practice/process';
import { proxyUpgrade } from 'httpxy';
import { announcesBody } from '../http/bodies.js';
import { connectionsOf, removePorts, Shares } from '../http/capacity.js';
import type { CommonHeaders } from '../http/common-headers.js';
import { noRoute } from '../http/not-found.js';
import { destroyLater } from '../http/linger.js';
import { answerRaw, httpProblem } from '../http/problem-response.js';
import { isWebSocket, pathOf, requestIdOf } from '../http/request.js';
import { overload } from '../limits/limits.js';
import { type LiveProcesses, liveUnavailable } from './live-proxy.js';

export interface UpgradeOptions {
  readonly processes: LiveProcesses;
  readonly trustedProxies: readonly string[];
  readonly connectionsPerAddress: number;
  readonly commonHeaders: CommonHeaders;
  readonly logger: Logger;
}

/** The path of WebSockets. */
const PATH = /^\/realtime\/v1\//;
const ANSWER_WITHIN_MS = 10_000;

/** Passes upgrades on. @returns a function that ends all passed connections */
export function passUpgrades(server: Server, options: UpgradeOptions): () => void {
  const { processes, commonHeaders, logger } = options;
  const open = new Set<Duplex>();
  const isProxy = proxyAddr.compile([...options.trustedProxies]);
  const isOfProxy = connectionsOf(options.trustedProxies);
  const connections = new Shares(options.connectionsPerAddress);
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Node has stopped reading, so a body could not be read.
    if (!isWebSocket(request) && announcesBody(request.headers))
      return answerRaw(commonHeaders, socket, httpProblem.badRequest);
    if (!isWebSocket(request)) return ignoreUpgrade(server, request, socket);
    const path = pathOf(request.url ?? '');
    if (!PATH.test(path)) return answerRaw(commonHeaders, socket, noRoute(path));
    // A random key: a caller must not choose its process.
    const [origin] = processes.inOrderOf(randomUUID());
    if (origin === undefined) return answerRaw(commonHeaders, socket, liveUnavailable);
    removePorts(request);
    // The last address in X-Forwarded-For that is not a trusted proxy's; the address of the connection if no proxy made it.
    const address = socket.remoteAddress === undefined ? '' : proxyAddr(request, isProxy);
    // Only connections through a proxy are counted here. The others are counted when they are made.
    if (isOfProxy(socket) && !connections.takeOne(networkOf(address), socket))
      return answerRaw(commonHeaders, socket, overload);
    const id = requestIdOf(request.headers['x-request-id']);
    Object.assign(request.headers, { 'x-forwarded-for': address, 'x-request-id': id });
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    proxyUpgrade(origin, request, socket, head, { xfwd: false, upgradeTimeout: ANSWER_WITHIN_MS }).then(
      (live) => socket.once('close', () => live.destroy()),
      (error: NodeJS.ErrnoException) => {
        // Only errors of connections have a code. A process that refuses the WebSocket works, and so does one that the caller does not
        // wait for. After a timeout, the caller's connection is closed too.
        const isLost = error.code !== undefined && !socket.destroyed;
        if (isLost || error.code === 'ERR_UPSTREAM_UPGRADE_TIMEOUT') processes.failed(origin);
        logger.info({ err: error, origin, requestId: id }, 'a WebSocket was not opened');
        destroyLater(socket);
      },
    );
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

/** Serves the request as if it asked for no upgrade. */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Socket): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => destroyLater(socket.end()));
  server.emit('request', request, response);
}
