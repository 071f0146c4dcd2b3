// Locks sign-in after many wrong passwords: for one account from one address, and after very many for the account from
// every address, so that a botnet guesses no faster than one machine. Accounts that do not exist are locked in the same way.

import { Inject, Injectable } from '@nestjs/common';
import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { COUNTERS } from '../counters.js';

/** A sign-in attempt: the caller's network address and the e-mail address of the account. */
export interface Attempt {
  readonly address: string;
  readonly email: string;
}

const FAILURES = 10;
/** High, so that strangers who enter wrong passwords on purpose cannot cheaply lock an owner out. */
const FAILURES_FROM_ANYWHERE = 100;
const LOCK_SECONDS = 15 * 60;

@Injectable()
export class Lockout {
  private readonly fromAddress: Throttle;
  private readonly fromAnywhere: Throttle;

  constructor(@Inject(COUNTERS) counters: Counters) {
    const locked = { seconds: LOCK_SECONDS };
    this.fromAddress = new Throttle(counters, { name: 'failed-sign-ins', points: FAILURES, ...locked });
    this.fromAnywhere = new Throttle(counters, {
      name: 'failed-sign-ins-of-account',
      points: FAILURES_FROM_ANYWHERE,
      ...locked,
    });
  }

  /** Seconds until the next attempt is allowed; 0 when it is allowed now. */
  async remainingSeconds(attempt: Attempt): Promise<number> {
    const seconds = await Promise.all([
      this.fromAddress.remainingSeconds(keyOf(attempt)),
      this.fromAnywhere.remainingSeconds(attempt.email),
    ]);
    return Math.max(...seconds);
  }

  async countFailure(attempt: Attempt): Promise<void> {
    await Promise.all([this.fromAddress.count(keyOf(attempt)), this.fromAnywhere.count(attempt.email)]);
  }

  /** After a successful sign-in: forgets this address's failures. Failures from other addresses stay counted. */
  async forget(attempt: Attempt): Promise<void> {
    await this.fromAddress.reset(keyOf(attempt));
  }
}

const keyOf = ({ address, email }: Attempt): string => `${address} ${email}`;
