import type { Identity } from '@practice/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Quota } from '../limits/limits.js';

/** What the gateway comes to know about a request on its way through the guards. */
export interface HttpRequest extends FastifyRequest {
  /** Who is asking; null until the guard has verified the token, and for calls that need none. */
  identity: Identity | null;
  /** What is left of the caller's limit, for the headers of the answer. */
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

/** The part of a URL behind `?`, as it was sent; empty when there is none. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Whether the caller speaks to the auth API, whose errors have their own shape. */
export const isAuthCall = (url: string): boolean => url.startsWith('/auth/v1/');
