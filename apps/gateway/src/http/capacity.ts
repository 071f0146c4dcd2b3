import type { ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import { networkOf } from '@practice/limits';

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

  /** Whether there is room. From then on the request counts, until its answer is out or its caller gone. */
  enter(response: ServerResponse): boolean {
    if (this.isFull) return false;
    // A response that is closed already emits no further `close` event, so it is not counted.
    if (response.destroyed || response.closed) return true;
    this.count += 1;
    response.once('close', this.leave);
    return true;
  }
}

/** Limits how many of something each network address has at the same time. */
export class PerAddress {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Whether there is room for another one; it counts until `leave`. */
  enter(network: string): boolean {
    const count = this.counts.get(network) ?? 0;
    if (count >= this.most) return false;
    this.counts.set(network, count + 1);
    return true;
  }

  leave(network: string): void {
    const left = (this.counts.get(network) ?? 1) - 1;
    if (left > 0) this.counts.set(network, left);
    else this.counts.delete(network);
  }
}

/** Addresses and networks such as 10.0.0.0/8. */
export class Networks {
  private readonly list = new BlockList();

  constructor(networks: readonly string[]) {
    for (const one of networks) {
      const [address = '', bits] = one.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(bits), family);
    }
  }

  has(address: string): boolean {
    return this.list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

/** Closes connections beyond the limit of their address. Connections of trusted proxies carry the requests of many callers. */
export function limitConnections(server: Server, connections: PerAddress, proxies: Networks): void {
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.has(address)) return;
    const network = networkOf(address);
    if (!connections.enter(network)) return void socket.destroy();
    socket.once('close', () => connections.leave(network));
  });
}
