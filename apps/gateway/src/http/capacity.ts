import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { oncePer } from '@practice/core';
import { networkOf, withoutPort } from '@practice/limits';

/** Counts the requests that are being answered. More than `most` could not be answered in time. */
export class InFlight {
  private count = 0;
  private readonly leave = (): void => {
    this.count -= 1;
  };

  constructor(private readonly most: number) {}

  /** How many requests are being answered. */
  get size(): number {
    return this.count;
  }

  get isFull(): boolean {
    return this.count >= this.most;
  }

  /** Counts a request until its response is sent or its caller disconnects. Returns false, and does not count it, if there is no room. */
  enter(response: ServerResponse): boolean {
    if (this.isFull) return false;
    // A response that is closed already emits no further `close` event, so it is not counted.
    if (response.destroyed || response.closed) return true;
    this.count += 1;
    response.once('close', this.leave);
    return true;
  }
}

/** Limits the amount of something that each caller, and all callers together, have at the same time. */
export class Shares {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(
    private readonly mostEach: number,
    private readonly most = Infinity,
  ) {}

  /** Takes an amount for a caller, until `free`. Returns false if there is no room. */
  take(caller: string, amount: number): boolean {
    const own = (this.takenBy.get(caller) ?? 0) + amount;
    if (own > this.mostEach || this.taken + amount > this.most) return false;
    this.taken += amount;
    this.takenBy.set(caller, own);
    return true;
  }

  free(caller: string, amount: number): void {
    this.taken -= amount;
    const own = (this.takenBy.get(caller) ?? 0) - amount;
    if (own > 0) this.takenBy.set(caller, own);
    else this.takenBy.delete(caller);
  }

  /** Counts a connection or response of a caller until it closes. Returns false if there is no room. */
  takeOne(caller: string, one: EventEmitter): boolean {
    const isTaken = this.take(caller, 1);
    if (isTaken) one.once('close', () => this.free(caller, 1));
    return isTaken;
  }
}

/** Whether a connection comes from a trusted proxy. It is determined once per connection. */
export type IsOfProxy = (socket: Socket) => boolean;

/** @param networks addresses and networks such as 10.0.0.0/8 */
export function connectionsOf(networks: readonly string[]): IsOfProxy {
  const isProxy = proxyAddr.compile([...networks]);
  return oncePer(new WeakMap<Socket, boolean>(), ({ remoteAddress = '' }) => isProxy(remoteAddress, 0));
}

/** Closes connections beyond the limit of their address. Connections of trusted proxies carry the requests of many callers. */
export function limitConnections(server: Server, connections: Shares, isOfProxy: IsOfProxy): void {
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isOfProxy(socket)) return;
    if (!connections.takeOne(networkOf(address), socket)) socket.destroy();
  });
}

/** Some proxies add the port to the address that they report. */
export function removePorts({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded === 'string')
    headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(', ');
}
