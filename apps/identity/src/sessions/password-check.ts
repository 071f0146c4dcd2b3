// Locks sign-in after many wrong passwords: for one account from one address, and after very many for the account from
// every address, so that a botnet guesses no faster than one machine. Accounts that do not exist are locked in the same way.

import { Inject, Injectable } from '@nestjs/common';
import { type Counters, networkOf, Throttle } from '@practice/limits';
import { COUNTERS } from '../calls/call.js';
import type { Credentials } from '../calls/fields.js';
import { BoundedQueue } from '../calls/bounded-queue.js';
import { refuseLocked, requireUnlocked } from '../calls/problems.js';
import { Credential } from '../store/account.entities.js';
import { Transactions } from '../store/transactions.js';
import { isOutdated, Passwords } from '../users/passwords.js';
import { hasSecondFactor, userById } from '../users/users.js';
import { isKnownAddress } from './proven.js';

/** An attempt to prove an identity: the caller's network address and the e-mail address of the account. */
export interface Attempt {
  readonly address: string;
  readonly email: string;
  /** The session whose failures count together, or the user for the failures of all sessions; absent before the sign-in. */
  readonly countedBy?: string | undefined;
}

const FROM_ADDRESS = { name: 'failed-sign-ins', points: 10, seconds: 15 * 60 };
/** High, so that strangers who enter wrong passwords on purpose cannot cheaply lock an owner out. */
const FROM_ANYWHERE = { name: 'failed-sign-ins-of-account', points: 100, seconds: 15 * 60 };

@Injectable()
export class Lockout {
  private readonly fromAddress: Throttle;
  private readonly fromAnywhere: Throttle;

  constructor(@Inject(COUNTERS) counters: Counters) {
    this.fromAddress = new Throttle(counters, FROM_ADDRESS);
    this.fromAnywhere = new Throttle(counters, FROM_ANYWHERE);
  }

  /**
   * Counts an attempt as failed before it is checked, so that attempts that arrive at the same time cannot exceed the limit.
   * Attempts of a session are locked by their own failures, so strangers who guess elsewhere cannot lock out an owner who is
   * signed in. They count as failures of their address too. A refused attempt does not count for the account.
   * @returns seconds until the next attempt is allowed, 0 when this attempt is allowed: `seconds` for the address or session of
   *   the attempt, `accountSeconds` for the whole account, from every address
   */
  async take(attempt: Attempt) {
    const seconds = await this.fromAddress.take(keyOf(attempt));
    if (seconds > 0) return { seconds, accountSeconds: 0 };
    const { countedBy, ...stranger } = attempt;
    const [accountSeconds] = await Promise.all([
      this.fromAnywhere.take(attempt.email),
      countedBy === undefined ? undefined : this.fromAddress.count(keyOf(stranger)),
    ]);
    return { seconds, accountSeconds };
  }

  /** Uncounts an attempt that could not be checked, because it was not a failure. */
  async giveBack(attempt: Attempt): Promise<void> {
    await Promise.all([this.fromAddress.giveBack(keyOf(attempt)), this.giveBackElsewhere(attempt)]);
  }

  /** Resets the failures after a successful attempt. Failures from other addresses stay counted. */
  async forget(attempt: Attempt): Promise<void> {
    await Promise.all([this.fromAddress.reset(keyOf(attempt)), this.giveBackElsewhere(attempt)]);
  }

  private async giveBackElsewhere({ countedBy, ...stranger }: Attempt): Promise<void> {
    await Promise.all([
      this.fromAnywhere.giveBack(stranger.email),
      countedBy === undefined ? undefined : this.fromAddress.giveBack(keyOf(stranger)),
    ]);
  }
}

/** The key of a count of failures: the account, with the session or the user that counts them, or else with the caller's network. */
const keyOf = ({ address, email, countedBy = networkOf(address) }: Attempt): string =>
  `${countedBy} ${email}`;

/** Checks passwords and other proofs of identity, and locks further attempts after many wrong proofs. */
@Injectable()
export class PasswordCheck {
  /** Runs attempts one after the other: an attempt counts as failed until it is checked, so right attempts could lock the next one. */
  private readonly queue = new BoundedQueue({ atOnce: 1, mayWait: 100 });

  constructor(
    private readonly transactions: Transactions,
    private readonly passwords: Passwords,
    private readonly lockout: Lockout,
  ) {}

  /**
   * Finds the user with this address and password. A wrong password and an unknown address get the same response in the
   * same time.
   * @param address the caller's network address; sign-ins from it are locked after many failures
   * @returns the id of the user; undefined when the credentials are wrong
   * @throws {Rejection} when sign-in is locked
   */
  userOf(credentials: Credentials, address: string): Promise<string | undefined> {
    const attempt: Attempt = { address, email: credentials.email };
    return this.queue.run(keyOf(attempt), () => this.admittedUser(attempt, credentials));
  }

  /**
   * Whether this is the password of a user who is signed in. Guesses from elsewhere do not lock this check.
   * @throws {Rejection} when this session has guessed too often
   */
  isRight(attempt: Attempt, password: unknown): Promise<boolean> {
    const { email } = attempt;
    return this.guarded(attempt, async () => (await this.authenticated({ email, password })) !== undefined);
  }

  /**
   * Runs a check of a proof. A proof that is wrong counts as a failed sign-in.
   * @throws {Rejection} when too many were wrong
   */
  guarded(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    return this.queue.run(keyOf(attempt), async () => {
      const [isRight] = await this.counted(attempt, check);
      if (isRight) await this.lockout.forget(attempt);
      return isRight;
    });
  }

  private async admittedUser(attempt: Attempt, credentials: Credentials): Promise<string | undefined> {
    const [userId, accountSeconds] = await this.counted(attempt, () => this.authenticated(credentials));
    // Guesses from many addresses must not lock the owner out. The right password is still accepted if the account has a
    // second factor, or if the user has signed in from this address before.
    if (accountSeconds > 0 && !(await this.isOwners(userId, attempt.address))) refuseLocked(accountSeconds);
    if (userId !== undefined) await this.lockout.forget(attempt);
    return userId;
  }

  /**
   * Counts an attempt as failed and checks it.
   * @returns the result, and the seconds for which the account is locked for strangers
   */
  private async counted<T>(attempt: Attempt, check: () => Promise<T>): Promise<[T, number]> {
    const { seconds, accountSeconds } = await this.lockout.take(attempt);
    requireUnlocked(seconds);
    try {
      return [await check(), accountSeconds];
    } catch (error) {
      await this.lockout.giveBack(attempt);
      throw error;
    }
  }

  private async isOwners(userId: string | undefined, address: string): Promise<boolean> {
    if (userId === undefined) return false;
    return this.transactions.run({ userId }, async (tables) => {
      const user = await userById(tables, userId);
      return hasSecondFactor(user?.factors ?? []) || (await isKnownAddress(tables, userId, address));
    });
  }

  private async authenticated({ email, password }: Credentials): Promise<string | undefined> {
    const credential = await this.transactions.run({ presented: email }, (tables) =>
      tables.findOneBy(Credential, { email }),
    );
    const given = typeof password === 'string' ? password : '';
    const isRight = await this.passwords.matches(credential?.passwordHash, given);
    if (credential === null || !isRight) return undefined;
    // If the renewal fails, the next sign-in renews the hash.
    if (isOutdated(credential.passwordHash)) await this.renew(credential, given).catch(() => undefined);
    return credential.userId;
  }

  /** Hashes the password with the current parameters, unless it has been changed meanwhile. */
  private async renew({ userId, passwordHash: before }: Credential, password: string): Promise<void> {
    const after = await this.passwords.hash(password);
    await this.transactions.run({ userId }, (tables) =>
      tables.update(Credential, { userId, passwordHash: before }, { passwordHash: after }),
    );
  }
}
