import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id for its request, if it can be repeated in logs and headers without harm; else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

/** `00-<trace>-<span>-<flags>` as W3C Trace Context writes it; undefined when the caller sent none, or nonsense. */
export function traceparentOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(given)
    ? given
    : undefined;
}
