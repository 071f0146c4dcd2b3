// The rules of the URL of a webhook. Names are judged again when they are resolved, see `lookup.ts`.

import { isIP } from 'node:net';
import { isForbidden } from './addresses.js';
import type { AddressPolicy } from './addresses.js';

/** Names that no public DNS server knows (RFC 6761, RFC 6762, RFC 8375 and the top-level domain reserved by ICANN). */
const PRIVATE_NAME = /(^|\.)(local|internal|home\.arpa|lan|intranet|corp|home|private)$/;
const LOOPBACK_NAME = /(^|\.)localhost$/;

/**
 * Why a URL is refused, as a clause; undefined if it is not. The parser of URLs has already turned decimal, octal and hexadecimal
 * addresses into the usual form.
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

/** The host of a URL without brackets and without the dot at the end of a whole name. */
export const hostOf = (url: string): string =>
  new URL(url).hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

/** Whether a host is this machine by its name or address. */
export const isLoopbackHost = (host: string): boolean =>
  LOOPBACK_NAME.test(host) || (isIP(host) !== 0 && isForbidden(host, strict) && !isForbidden(host, loose));

const strict: AddressPolicy = { allowsLoopback: false, forbidden: [] };
const loose: AddressPolicy = { allowsLoopback: true, forbidden: [] };

function hostProblem(host: string, policy: AddressPolicy): string | undefined {
  if (isIP(host) !== 0) return isForbidden(host, policy) ? 'its address is not public' : undefined;
  if (LOOPBACK_NAME.test(host)) return policy.allowsLoopback ? undefined : 'its address is not public';
  const isPublic = host.includes('.') && !PRIVATE_NAME.test(host);
  return isPublic ? undefined : 'its host name is not public';
}
