import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Verified } from '@practice/authentication';
import type { Identity } from '@practice/core';
import type { OpenSpan } from '@practice/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Quota } from '../limits/limits.js';
import type { Timings } from './timings.js';

/** A request as Fastify and Nest pass it to guards and handlers. */
export interface HttpRequest extends FastifyRequest {
  /** The stage that the request has reached. Each stage adds its members. */
  stage: Stage;
  /** The result of passport's strategy, for a token that was not in the cache. */
  user?: Verified;
}

export type HttpReply = FastifyReply;

/** A request whose head has arrived. */
export interface Received {
  readonly request: HttpRequest;
  readonly reply: HttpReply;
  /** Milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  /** `reads` if the request only reads. */
  readonly kind: 'reads' | 'writes';
  /** Undefined without tracing. */
  readonly span: OpenSpan | undefined;
}

/** A request whose caller is authenticated, as far as the route requires it. */
export interface Authenticated extends Received {
  /** Null for routes that need no user. */
  readonly identity: Identity | null;
  /** The identity with break-glass access, which reads use; null without break-glass access. */
  readonly reader: Identity | null;
}

/** A request that is within the limits, with its body. */
export interface Admitted extends Authenticated {
  /** The rest of the caller's limit; null without a limit. */
  readonly quota: Quota | null;
  /** The durations that the response will show; null unless the caller asks for them. */
  readonly timings: Timings | null;
  readonly body: Buffer | undefined;
}

/** Any stage. A refused request has only the members of the stages that it has passed. */
export interface Stage extends Received, Partial<Omit<Admitted, keyof Received>> {
  /** The resource, or `rpc/` with the function, that a parsed request names. */
  readonly target?: string;
}

/**
 * Takes a request to its next stage, which has more members. The value stays the same: on Node 20, a copy by spread costs 3 µs
 * for each stage (docs/benchmarks.md, "one day").
 */
export const advance = <Before extends Stage, More extends object>(
  stage: Before,
  more: More,
): Before & More => Object.assign(stage, more);

/** The part of a URL before `?`, as it was sent. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Longest path in the log. All of our own paths are shorter. */
const LOGGED_PATH = 80;
/** Secrets of links have 43 characters, ids 36. */
const SECRET = /[\w-]{40,}/g;

/** The topic and the event of a broadcast follow. They are texts of the caller, such as the name of a client. */
const BROADCAST = /(\/api\/broadcast\/).*/s;

/** The path of a request as it is logged: without the texts of a broadcast, and without any part that may be the secret of a link. */
export function loggedPath(request: Routed): string {
  const route = knownRouteOf(request);
  // A route with a topic is logged itself, because a caller may percent-encode any letter of the path.
  const path = route?.includes(':topic') === true ? route : pathOf(request.raw.url ?? '');
  return path.replace(BROADCAST, '$1…').replace(SECRET, '…').slice(0, LOGGED_PATH);
}

/** A URL without its scheme and host, which a request may have (RFC 9112, 3.2.2). The router skips them too. */
export const withoutHost = (url: string): string => url.replace(/^https?:\/\/[^/?]*/i, '');

/** The part of a URL after `?`, as it was sent; empty if the URL has no `?`. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Whether a probe asks for the state of the process. */
export const isHealthCheck = ({ raw }: Pick<HttpRequest, 'raw'>): boolean =>
  raw.url === '/livez' || raw.url === '/readyz';

type Routed = Pick<HttpRequest, 'raw' | 'routeOptions'>;

/** The path of the route; undefined without a route, and for bytes that never became a request. */
export const knownRouteOf = ({ routeOptions }: Pick<HttpRequest, 'routeOptions'>): string | undefined =>
  (routeOptions as { readonly url?: string } | undefined)?.url;

/** The path of the route; without a route, the URL. A URL may spell the same path otherwise: percent-encoded, or with a host. */
export const routeOf = (request: Routed): string => knownRouteOf(request) ?? request.raw.url ?? '';

/** Whether the request is for the auth API, whose errors have their own shape. */
export const isAuthCall = (request: Routed): boolean => routeOf(request).startsWith('/auth/v1/');

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id for its request, if it can be repeated in logs and headers without harm; otherwise a new id. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

/** Whether a request asks for a WebSocket. Other upgrades, such as the one to HTTP/2, are ignored, as HTTP allows. */
export const isWebSocket = ({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/**
 * The media type that an `Accept` header prefers.
 * @param types what can be sent; the first one if the header is missing
 * @returns undefined if the header accepts none of them
 */
export function acceptedType(accept: string | undefined, types: readonly string[]): string | undefined {
  const isMissing = accept === undefined || accept.trim() === '';
  // Our text is always UTF-8, so a type with `charset=utf-8` is the same type.
  const offered = types.flatMap((type) => [type, `${type}; charset=utf-8`]);
  const chosen = isMissing ? types[0] : new Negotiator({ headers: { accept } }).mediaType(offered);
  return chosen?.split(';', 1)[0];
}

/** Whether the caller prefers a body in this encoding to a plain one. */
export const accepts = ({ headers }: Pick<HttpRequest, 'headers'>, encoding: string): boolean =>
  new Negotiator({ headers }).encoding([encoding, 'identity']) === encoding;
