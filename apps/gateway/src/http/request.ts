import type { Identity } from '@practice/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Quota } from '../limits/limits.js';

/** A request with the facts that the guards add to it. */
export interface HttpRequest extends FastifyRequest {
  /** Who is asking; null until the guard has verified the token, and for calls that need none. */
  identity: Identity | null;
  /** The rest of the caller's limit, for the headers of the response. */
  quota: Quota | null;
  /** Milliseconds of `performance.now()` when the request came in. */
  arrivedAt: number;
}

export type HttpReply = FastifyReply;

/** The part of a URL before `?`, as it was sent. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The part of a URL after `?`, as it was sent; empty if the URL has no `?`. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Whether the caller speaks to the auth API, whose errors have their own shape. */
export const isAuthCall = (url: string): boolean => url.startsWith('/auth/v1/');
