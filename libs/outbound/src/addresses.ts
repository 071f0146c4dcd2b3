// The addresses that requests to user-supplied URLs may not reach: all except the public internet (server-side request forgery).

import { Resolver } from 'node:dns/promises';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** Whether requests may reach this machine, for development and tests. */
  readonly allowsLoopback: boolean;
  /** Additional forbidden networks, such as 203.0.113.0/24: public addresses of the operator. */
  readonly forbidden: readonly string[];
}

/** Global unicast (RFC 4291). All other IPv6 addresses have special purposes, such as NAT64, site-local or IPv4-compatible addresses. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Special networks within global unicast that the library does not know: documentation (RFC 9637). */
const SPECIAL = [ipaddr.parseCIDR('3fff::/20')];

/** Whether requests to an IP address are forbidden. A text that is not an address is forbidden. */
export function isForbidden(address: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return true;
  // An IPv4-mapped IPv6 address is an IPv4 address.
  const parsed = ipaddr.process(address);
  if (policy.forbidden.some((network) => isWithin(parsed, parsedNetwork(network)))) return true;
  if (parsed.range() === 'loopback') return !policy.allowsLoopback;
  if (parsed.range() !== 'unicast') return true;
  if (parsed.kind() === 'ipv6' && !isWithin(parsed, GLOBAL_IPV6)) return true;
  return SPECIAL.some((network) => isWithin(parsed, network)) || isOwn(parsed);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network as never, bits);

const parsedNetwork = (text: string): Network => {
  const address = ipaddr.process(text.replace(/\/\d+$/, ''));
  const bits = /\/(\d+)$/.exec(text)?.[1];
  return [address, bits === undefined ? (address.kind() === 'ipv4' ? 32 : 128) : Number(bits)];
};

/** Whether an address belongs to this machine. */
const isOwn = (address: Address): boolean =>
  Object.values(networkInterfaces()).some((all = []) =>
    all.some(({ address: own }) => ipaddr.process(own.replace(/%.*$/, '')).toString() === address.toString()),
  );

// The rules for URLs. The addresses of a host name are checked when the name is resolved, see `guardedLookup`.

/** Host names that are not in public DNS (RFC 6761, RFC 6762, RFC 8375 and the top-level domain reserved by ICANN). */
const PRIVATE_NAME = /(^|\.)(local|internal|home\.arpa|lan|intranet|corp|home|private)$/;
const LOOPBACK_NAME = /(^|\.)localhost$/;

/**
 * Why a URL is refused, as a clause; undefined if it is accepted. `URL` converts decimal, octal and hexadecimal addresses to the
 * usual form.
 */
export function urlProblem(text: string, policy: AddressPolicy): string | undefined {
  if (!URL.canParse(text)) return 'it is no URL';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'its scheme must be https';
  if (username !== '' || password !== '') return 'it must not contain credentials';
  if (hash !== '') return 'it must not contain a fragment';
  const host = hostOf(text);
  const isLoopback = isLoopbackHost(host);
  if (protocol === 'http:' && !(isLoopback && policy.allowsLoopback)) return 'its scheme must be https';
  return hostProblem(host, policy);
}

/** The host of a URL without brackets and without the final dot of a fully qualified name. */
const hostOf = (url: string): string =>
  new URL(url).hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

/** Whether a host is a loopback name or address. */
const isLoopbackHost = (host: string): boolean =>
  LOOPBACK_NAME.test(host) || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback');

function hostProblem(host: string, policy: AddressPolicy): string | undefined {
  if (isIP(host) !== 0) return isForbidden(host, policy) ? 'its address is not public' : undefined;
  if (LOOPBACK_NAME.test(host)) return policy.allowsLoopback ? undefined : 'its address is not public';
  const isPublic = host.includes('.') && !PRIVATE_NAME.test(host);
  return isPublic ? undefined : 'its host name is not public';
}

// The addresses that a connection may use. A connection uses exactly the addresses that were checked, so it does not matter if the
// name resolves to another address a moment later.

/** Resolves a host name to its addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Thrown when a name resolves to an address that requests may not reach. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('the address is not public');
  }
}

/** Thrown when a name has no address. */
export class UnknownHost extends Error {
  constructor() {
    super('the host name has no address');
  }
}

interface DnsOptions {
  /** The time limit of each of two tries, in milliseconds. */
  readonly timeoutMs?: number;
  /** The name servers to ask (`127.0.0.1:53`). The default is the machine's name servers. */
  readonly servers?: readonly string[];
}

/**
 * Resolves names only by DNS. `getaddrinfo` would block one of the process's few threads while a name server hangs, and the hosts
 * file may name other machines of the platform.
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

/** A `lookup` for `net.connect`. It refuses a name if any of its addresses is forbidden. */
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
