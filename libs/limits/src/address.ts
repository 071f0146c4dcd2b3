// The keys under which counters count network addresses. The owner of an IPv6 address usually has a whole /64.

import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The key for every text that is not an address. */
const UNKNOWN = 'unknown';

/** An address without its port and brackets, as some proxies add them. */
export function withoutPort(text: string): string {
  const address = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
}

/** The key under which an address is counted: an IPv4 address itself, also if it is mapped to IPv6; the /64 of an IPv6 address. */
export function networkOf(text: string): string {
  const address = withoutPort(text).replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return UNKNOWN;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
