// The addresses that a connection may use. The connection takes exactly the addresses that were checked, so a name that resolves to
// another address a moment later changes nothing.

import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { LookupFunction } from 'node:net';
import { isForbidden } from './addresses.js';
import type { AddressPolicy } from './addresses.js';

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The name resolves to an address that deliveries may not reach. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('the address is not public');
  }
}

/** The name has no address. */
export class UnknownHost extends Error {
  constructor() {
    super('the host name has no address');
  }
}

interface DnsOptions {
  /** The time for one of two tries. */
  readonly timeoutMs?: number;
  /** Name servers (`127.0.0.1:53`), unless the machine's are asked. */
  readonly servers?: readonly string[];
}

/**
 * Asks DNS only: `getaddrinfo` would take one of few threads of the process for as long as a name server hangs, and the hosts file may
 * name other machines of the platform.
 */
export function dnsResolve({ timeoutMs = 3_000, servers }: DnsOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    if (/(^|\.)localhost\.?$/.test(host)) return ['127.0.0.1'];
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  };
}

/** For `net.connect`: one forbidden address among several refuses the name. */
export const guardedLookup =
  (resolve: Resolve, policy: AddressPolicy): LookupFunction =>
  (host, options, callback) => {
    const give = callback as (error: Error | null, address: unknown, family?: number) => void;
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return give(new UnknownHost(), []);
        if (addresses.some((address) => isForbidden(address, policy)))
          return give(new ForbiddenAddress(), []);
        const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        return options.all === true ? give(null, all) : give(null, first, all[0]?.family);
      },
      () => give(new UnknownHost(), []),
    );
  };
