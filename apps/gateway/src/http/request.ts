import type { Identity } from '@practice/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenSpan } from '@practice/tracing';
import type { Timings } from './timings.js';
import type { Quota } from '../limits/limits.js';

/** A request with the facts that the guards add to it. */
export interface HttpRequest extends FastifyRequest {
  /** Who is asking; null until the guard has verified the token, and for calls that need none. */
  identity: Identity | null;
  /** The same with break-glass access, in which records are read; null without it. */
  reader: Identity | null;
  /** The rest of the caller's limit, for the headers of the response. */
  quota: Quota | null;
  /** The span of the request; null without tracing. */
  span: OpenSpan | null;
  /** The durations that the response will show; null unless the caller asks for them. */
  timings: Timings | null;
  /** The resource, or `rpc/` with the function, that the request names; null until it is parsed, and for other calls. */
  target: string | null;
  /** Milliseconds of `performance.now()` when the request came in. */
  arrivedAt: number;
}

export type HttpReply = FastifyReply;

/** The part of a URL before `?`, as it was sent. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Longest path in the log. All of our own paths are shorter. */
const LOGGED_PATH = 80;
/** Secrets of links have 43 characters, ids 36. */
const SECRET = /[\w-]{40,}/g;

/** A path as it is logged: without any part that may be the secret of a link. */
export const loggedPath = (url: string): string => pathOf(url).replace(SECRET, '…').slice(0, LOGGED_PATH);

/** The part of a URL after `?`, as it was sent; empty if the URL has no `?`. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Whether a probe asks for the state of the process. */
export const isHealthCheck = ({ raw }: Pick<HttpRequest, 'raw'>): boolean =>
  raw.url === '/livez' || raw.url === '/readyz';

/** Whether the caller speaks to the auth API, whose errors have their own shape. */
export const isAuthCall = (url: string): boolean => url.startsWith('/auth/v1/');
