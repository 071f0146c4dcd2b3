// The keys under which counters count network addresses. The owner of an IPv6 address usually has a whole /64.

import { isIPv4, isIPv6 } from 'node:net';

/** The key for every text that is not an address. */
const UNKNOWN = 'unknown';

/** An address without its port and brackets, as some proxies add them. */
export function withoutPort(text: string): string {
  const address = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
}

/** The key under which an address is counted: an IPv4 address itself, the /64 of an IPv6 address. */
export function networkOf(text: string): string {
  const address = withoutPort(text).replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return UNKNOWN;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return ipv4Of(groups.slice(6));
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').flatMap(groupsOfPart));
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The groups in a part between colons: one, or two for the IPv4 address that may end an IPv6 address. */
function groupsOfPart(part: string): number[] {
  if (part === '') return [];
  if (!part.includes('.')) return [Number.parseInt(part, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const ipv4Of = (groups: readonly number[]): string =>
  groups.flatMap((group) => [group >> 8, group & 255]).join('.');
