// Addresses that deliveries may not reach: everything but the public internet (server-side request forgery).

import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** Receivers on this machine, for development and tests. */
  readonly allowsLoopback: boolean;
  /** Further networks, such as 203.0.113.0/24: public addresses that are the operator's own. */
  readonly forbidden: readonly string[];
}

/** Global unicast (RFC 4291). Everything else is for special purposes, such as NAT64, site-local or IPv4-compatible addresses. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Special networks within global unicast, which the library does not name: documentation (RFC 9637). */
const SPECIAL = [ipaddr.parseCIDR('3fff::/20')];

/** Whether a delivery may not be sent to an IP address. Anything that is no address is forbidden. */
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

/** Whether it is an address of this machine. */
const isOwn = (address: Address): boolean =>
  Object.values(networkInterfaces()).some((all = []) =>
    all.some(({ address: own }) => ipaddr.process(own.replace(/%.*$/, '')).toString() === address.toString()),
  );
