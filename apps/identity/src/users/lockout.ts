// Locks sign-in after many wrong passwords: for one account from one address, and after very many for the account from
// every address, so that a botnet guesses no faster than one machine. Accounts that do not exist are locked in the same way.

import { Inject, Injectable } from '@nestjs/common';
import { networkOf, Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { COUNTERS } from '../calls/counters.js';

/** An attempt to prove who one is: the caller's network address and the e-mail address of the account. */
export interface Attempt {
  readonly address: string;
  readonly email: string;
  /** The session that the attempt comes from, if the user is signed in. */
  readonly sessionId?: string | undefined;
}

/** Seconds until the next attempt is allowed; 0 when this one is. */
export interface Locked {
  /** For the address or session of the attempt. */
  readonly seconds: number;
  /** For the account as a whole, whatever the address. */
  readonly accountSeconds: number;
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

  /**
   * Counts an attempt as failed before it is checked, so that attempts that arrive at the same time are not more than allowed.
   * Attempts of a session are locked by their own failures, so strangers who guess elsewhere cannot lock out an owner who is
   * signed in. They count as failures of their address too. A refused attempt does not count for the account.
   */
  async take(attempt: Attempt): Promise<Locked> {
    const seconds = await this.fromAddress.take(keyOf(attempt));
    if (seconds > 0) return { seconds, accountSeconds: 0 };
    const { sessionId, ...stranger } = attempt;
    const [accountSeconds] = await Promise.all([
      this.fromAnywhere.take(attempt.email),
      sessionId === undefined ? undefined : this.fromAddress.count(keyOf(stranger)),
    ]);
    return { seconds, accountSeconds };
  }

  /** For an attempt that could not be checked: it was not a failure. */
  async giveBack(attempt: Attempt): Promise<void> {
    await Promise.all([this.fromAddress.giveBack(keyOf(attempt)), this.giveBackElsewhere(attempt)]);
  }

  /** After a successful attempt: forgets its failures. Failures from other addresses stay counted. */
  async forget(attempt: Attempt): Promise<void> {
    await Promise.all([this.fromAddress.reset(keyOf(attempt)), this.giveBackElsewhere(attempt)]);
  }

  private async giveBackElsewhere({ sessionId, ...stranger }: Attempt): Promise<void> {
    await Promise.all([
      this.fromAnywhere.giveBack(stranger.email),
      sessionId === undefined ? undefined : this.fromAddress.giveBack(keyOf(stranger)),
    ]);
  }
}

/** The key under which failures are counted: the session, otherwise the caller's network, with the account. */
export const keyOf = ({ address, email, sessionId = networkOf(address) }: Attempt): string =>
  `${sessionId} ${email}`;
