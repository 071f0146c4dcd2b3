// All sockets of this process.

import type { Duplex } from 'node:stream';
import { gauge } from '@practice/metrics';
import type { Logger } from '@practice/process';
import { WebSocketServer } from 'ws';
import type { LiveRequest } from '../../endpoint.js';
import type { ChannelParts } from '../channels/channel.js';
import { limits } from '../limits.js';
import type { Serializer } from '../protocol/serializer.js';
import { ClientSocket } from './socket.js';

const SWEEP_MS = 10_000;

const sockets = gauge('practice_realtime_sockets');

/** A request that asks for a socket. */
export interface Handshake {
  readonly request: LiveRequest;
  readonly stream: Duplex;
  /** Bytes that the client has sent after the request. */
  readonly head: Buffer;
  readonly serializer: Serializer;
}

export class Sockets {
  private readonly open = new Set<ClientSocket>();
  private readonly timer: NodeJS.Timeout;
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });

  constructor(
    private readonly parts: ChannelParts,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /** Completes the handshake of a socket. */
  accept({ request, stream, head, serializer }: Handshake): void {
    this.server.handleUpgrade(request.raw, stream, head, (socket) => {
      const origin = { ip: request.ip, id: request.id };
      const failed = (err: unknown): void =>
        this.logger.error({ err, requestId: request.id }, 'a channel failed');
      const client = new ClientSocket({ socket, serializer, origin, parts: this.parts, failed });
      this.open.add(client);
      sockets.set(this.open.size);
      socket.on('close', () => {
        this.open.delete(client);
        sockets.set(this.open.size);
      });
    });
  }

  /** Asks all clients to reconnect to another process. */
  close(): void {
    clearInterval(this.timer);
    for (const client of this.open) client.restart();
    this.server.close();
  }

  private sweep(): void {
    const now = performance.now();
    for (const client of this.open) client.sweep(now);
    this.parts.allowances.sweep(now);
  }
}
