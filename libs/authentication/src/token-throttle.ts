import { reject, Rejection } from '@practice/core';
import { networkOf, Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { emptyToken, tooManyGuesses } from './token-problems.js';

/** A browser may present a bad token a few times with each page; a guess costs a signature check or a lookup. */
const FOR_EACH_SIGN_IN = 10;

/**
 * Limits how many unknown tokens and forged signatures an address may present in a minute. Expired tokens and ended sessions
 * do not count: the tokens are genuine.
 */
export class TokenThrottle {
  private readonly throttle: Throttle | null;

  /** @param signIns that an address may attempt in a minute; 0 switches the limit off */
  constructor(counters: Counters, signIns: number) {
    const points = signIns * FOR_EACH_SIGN_IN;
    this.throttle =
      points === 0 ? null : new Throttle(counters, { name: 'unknown-tokens', points, seconds: 60 });
  }

  /**
   * Runs the check of a token, and counts it if the token is not genuine.
   * @throws {Rejection} PM004 if the address has presented too many
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

/** PGRST301: nothing proves that the token was ever issued. */
const isForged = (error: unknown): boolean =>
  error instanceof Rejection && error.problem.code === 'PGRST301' && error.problem !== emptyToken;
