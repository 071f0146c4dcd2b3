import { Injectable } from '@nestjs/common';
import type { Credentials } from '../calls/fields.js';
import { refuse, tooManyRequests } from '../calls/problems.js';
import { Credential } from '../store/account.entities.js';
import { Transactions } from '../store/transactions.js';
import { keyOf, Lockout } from '../users/lockout.js';
import type { Attempt } from '../users/lockout.js';
import { isOutdated, Passwords } from '../users/passwords.js';
import { KeyedQueue } from '../users/keyed-queue.js';
import { hasSecondFactor, userById } from '../users/users.js';
import { isKnownAddress } from './proven.js';

/** Checks passwords and other proofs of who one is, and locks further attempts after many wrong ones. */
@Injectable()
export class PasswordCheck {
  /** One attempt after the other: an attempt counts as failed until it is checked, and right ones must not lock the next one. */
  private readonly queue = new KeyedQueue();

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
   * Whether this is the password of a user who is signed in. Guesses from other places do not lock it.
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
    // Guesses from many addresses must not lock the owner out: the right password still counts where it is not enough
    // for a stranger, or where the owner has signed in before.
    const isAdmitted = accountSeconds === 0 || (await this.isOwners(userId, attempt.address));
    if (!isAdmitted) refuseLocked(accountSeconds);
    if (userId !== undefined) await this.lockout.forget(attempt);
    return userId;
  }

  /**
   * Counts an attempt as failed and checks it.
   * @returns the result, and the seconds for which the account is locked for strangers
   */
  private async counted<T>(attempt: Attempt, check: () => Promise<T>): Promise<[T, number]> {
    const { seconds, accountSeconds } = await this.lockout.take(attempt);
    if (seconds > 0) refuseLocked(seconds);
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
    // If it fails, the next sign-in renews the hash.
    if (isOutdated(credential.passwordHash)) await this.renew(credential, given).catch(() => undefined);
    return credential.userId;
  }

  /** Hashes the password with the parameters of today, unless it has been changed meanwhile. */
  private async renew({ userId, passwordHash: before }: Credential, password: string): Promise<void> {
    const after = await this.passwords.hash(password);
    await this.transactions.run({ userId }, (tables) =>
      tables.update(Credential, { userId, passwordHash: before }, { passwordHash: after }),
    );
  }
}

const refuseLocked = (seconds: number): never =>
  refuse({ ...tooManyRequests, headers: { 'Retry-After': String(seconds) } });
