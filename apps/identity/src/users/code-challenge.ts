// Proof Key for Code Exchange (RFC 7636): only the client that asked for a mail can use the link in it.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Fields } from '../calls/fields.js';
import { badChallenge, halfChallenge, refuse } from '../calls/problems.js';

/** A challenge with the method by which it was made from the verifier: `s256:…` or `plain:…`. */
export type CodeChallenge = `${'s256' | 'plain'}:${string}`;

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * The challenge in a body; null when it has none.
 * @throws {Rejection} when a part of it is missing or malformed
 */
export function challengeOf(fields: Fields): CodeChallenge | null {
  const { code_challenge: challenge, code_challenge_method: method } = fields;
  if (!challenge && !method) return null;
  if (!challenge || typeof method !== 'string') return refuse(halfChallenge);
  const name = method.toLowerCase();
  if (name !== 's256' && name !== 'plain') return refuse(badChallenge);
  return typeof challenge === 'string' && CHALLENGE.test(challenge)
    ? `${name}:${challenge}`
    : refuse(badChallenge);
}

/** Whether the challenge was made from this verifier. */
export function answersChallenge(challenge: string, verifier: string): boolean {
  const isHashed = challenge.startsWith('s256:');
  const expected = Buffer.from(challenge.slice(challenge.indexOf(':') + 1));
  const given = Buffer.from(isHashed ? createHash('sha256').update(verifier).digest('base64url') : verifier);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
