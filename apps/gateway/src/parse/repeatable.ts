import { createHash } from 'node:crypto';
import { problemFor, reject } from '@practice/core';
import type { CommandFields } from '@practice/query';
import type { Admitted, HttpRequest } from '../http/request.js';

const MAX_KEY_LENGTH = 255;

/** The request without its headers and body. */
interface Repeated {
  readonly method: string;
  /** Below `/rest/v1/`. */
  readonly path: string;
  readonly canonicalQuery: string;
}

/**
 * The `Idempotency-Key` of a request with a hash of what the request does.
 * @throws {Rejection} PM400 for an invalid key
 */
export function repeatableOf(
  { headers, identity }: Pick<HttpRequest, 'headers'> & Pick<Admitted, 'identity'>,
  { method, path, canonicalQuery }: Repeated,
  body: Uint8Array,
): Pick<CommandFields, 'repeatable'> {
  const key = headers['idempotency-key'];
  if (key === undefined) return {};
  if (Array.isArray(key) || key === '' || key.length > MAX_KEY_LENGTH) return reject(invalidKey);
  // Without `Accept`, which clients add by themselves: a repetition with another one gets the first response unchanged.
  // With the caller: the response to one person or token is not repeated to another, which may see less.
  const caller = [
    identity?.userId,
    identity?.practiceRole,
    ...(identity?.tokenId ? [identity.tokenId] : []),
  ].join(' ');
  const hash = hashOf([caller, method, path, canonicalQuery, String(headers['prefer'] ?? ''), body]);
  return { repeatable: { key, hash } };
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64url');
}

const invalidKey = problemFor('PM400', {
  message: `Idempotency-Key must be one value of 1 to ${MAX_KEY_LENGTH} characters`,
});
