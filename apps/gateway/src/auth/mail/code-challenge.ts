// Proof Key for Code Exchange (RFC 7636): what a mail leads to is good only for whoever asked for the mail.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Fields } from '../auth-body.js';
import { badChallenge, halfChallenge, refuse } from '../errors.js';

/** The part of a verifier that is shown first, with how it was made: `s256:…` or `plain:…`. */
export type CodeChallenge = `${'s256' | 'plain'}:${string}`;

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * The challenge of a body; null where there is none.
 * @throws {Rejection} when a part of it is missing, or can't be
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

/** Whether this is the verifier that the challenge was made from. */
export function answersChallenge(challenge: string, verifier: string): boolean {
  const isHashed = challenge.startsWith('s256:');
  const expected = Buffer.from(challenge.slice(challenge.indexOf(':') + 1));
  const given = Buffer.from(isHashed ? createHash('sha256').update(verifier).digest('base64url') : verifier);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
