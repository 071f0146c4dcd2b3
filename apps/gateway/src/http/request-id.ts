import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id for its request, if it can be repeated in logs and headers without harm; else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
