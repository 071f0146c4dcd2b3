// The problems of refused tokens, with PostgREST's codes and messages.

import { type Problem, problemFor, reject, Rejection } from '@practice/core';
import { type Counters, networkOf, Throttle } from '@practice/limits';

const refused = (code: 'PGRST301' | 'PGRST303', message: string, details: string | null = null): Problem => {
  const headers = { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` };
  return problemFor(code, { message, details, headers });
};

/** A request without a user has no access to anything. */
export const anonymous = problemFor('PGRST302', { headers: { 'WWW-Authenticate': 'Bearer' } });

export const emptyToken = refused('PGRST301', 'Empty JWT is sent in Authorization header');
export const wrongParts = (count: number): Problem =>
  refused('PGRST301', `Expected 3 parts in JWT; got ${count}`);
export const unsupportedAlgorithm = refused('PGRST301', 'Wrong or unsupported encoding algorithm');
export const noSuitableKey = refused(
  'PGRST301',
  'No suitable key or wrong key type',
  'None of the keys was able to decode the JWT',
);
export const unreadable = refused('PGRST301', 'JWT cryptographic operation failed');
/** Critical extensions (RFC 7515, 4.1.11) must be understood, and this process understands none. */
export const unknownExtension = refused('PGRST301', 'JWT has a critical extension that is not supported');
export const expired = refused('PGRST303', 'JWT expired');
const notYetValid = refused('PGRST303', 'JWT not yet valid');
export const issuedInFuture = refused('PGRST303', 'JWT issued at future');
export const otherIssuer = refused('PGRST303', 'JWT not from an accepted issuer');
export const tooOld = refused('PGRST303', 'JWT issued more than 24 hours ago');
export const otherAudience = refused('PGRST303', 'JWT not in audience');
export const sessionEnded = refused('PGRST303', 'JWT session has ended');
export const claimNotNumber = (claim: string): Problem =>
  refused('PGRST303', `The JWT '${claim}' claim must be a number`);
export const issuerUnavailable = problemFor('PM503', {
  message: 'The keys of the token issuer cannot be loaded',
  headers: { 'Retry-After': '5' },
});
export const noPractice = refused('PGRST303', 'JWT names no practice');

/** The session still requires a second factor. */
export const insufficientAal = problemFor('insufficient_aal');

export const unknownPersonalToken = refused('PGRST301', 'Personal access token is not known');
export const personalTokenExpired = refused('PGRST303', 'Personal access token has expired');
export const tooManyGuesses = (seconds: number): Problem =>
  problemFor('PM004', { message: 'Too many unknown tokens', headers: { 'Retry-After': String(seconds) } });

/** The problem for each error message of jsonwebtoken, by the beginning of the message. */
const MEANINGS: readonly (readonly [string, Problem])[] = [
  ['jwt expired', expired],
  ['jwt not active', notYetValid],
  ['jwt audience invalid', otherAudience],
  ['invalid exp value', claimNotNumber('exp')],
  ['invalid nbf value', claimNotNumber('nbf')],
  ['invalid signature', noSuitableKey],
  ['invalid algorithm', unsupportedAlgorithm],
];

/** The problem for an error of jsonwebtoken. */
export function problemOf(error: unknown): Problem {
  const words = error instanceof Error ? error.message : '';
  return MEANINGS.find(([beginning]) => words.startsWith(beginning))?.[1] ?? unreadable;
}

/** Allowed unknown tokens for each allowed sign-in. A browser may present a bad token several times for each page. */
const FOR_EACH_SIGN_IN = 10;

/**
 * Limits how many unknown tokens and forged signatures an address may present in a minute. Expired tokens and ended sessions
 * do not count, because these tokens are genuine.
 */
export class TokenThrottle {
  private readonly throttle: Throttle | null;

  /** @param signIns the number of sign-ins that an address may attempt in a minute; 0 switches the limit off */
  constructor(counters: Counters, signIns: number) {
    const points = signIns * FOR_EACH_SIGN_IN;
    this.throttle =
      points === 0 ? null : new Throttle(counters, { name: 'unknown-tokens', points, seconds: 60 });
  }

  /**
   * Runs the check of a token, and counts the token if it is not genuine.
   * @throws {Rejection} PM004 if the address has presented too many tokens that are not genuine
   */
  async run<T>(address: string, check: () => Promise<T>): Promise<T> {
    if (this.throttle === null) return check();
    const network = networkOf(address);
    const seconds = await this.throttle.remainingSeconds(network);
    if (seconds > 0) return reject(tooManyGuesses(seconds));
    try {
      return await check();
    } catch (error) {
      if (isForged(error)) await this.throttle.count(network);
      throw error;
    }
  }
}

/** Whether a refusal means that the token may never have been issued (PGRST301). */
const isForged = (error: unknown): boolean =>
  error instanceof Rejection && error.problem.code === 'PGRST301' && error.problem !== emptyToken;
