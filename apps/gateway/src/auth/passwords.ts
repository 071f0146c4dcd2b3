// Passwords: what is good enough, and their hashes (argon2id, off the event loop).

import { hash, verify } from '@node-rs/argon2';
import { isCommonPassword } from './common-passwords.js';
import { commonPassword, longPassword, missingPassword, refuse, shortPassword, tooBusy } from './errors.js';

const MIN_LENGTH = 8;
const MAX_LENGTH = 72;

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane (these are the library's defaults, said aloud). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing fills a core and 19 MiB; more at the same time would only make each of them slower. */
const AT_ONCE = 2;
const MAY_WAIT = 200;

/**
 * Checks a new password.
 * @param email of the account: not itself a password
 * @throws {Rejection} when it is missing, shorter or longer than 8–72 characters, or among the commonest
 */
export function checkNewPassword(password: unknown, email: string): string {
  if (typeof password !== 'string' || password === '') return refuse(missingPassword);
  const length = [...password].length;
  if (length < MIN_LENGTH) refuse(shortPassword);
  if (length > MAX_LENGTH) refuse(longPassword);
  if (isCommonPassword(password, email)) refuse(commonPassword);
  return password;
}

/** Hashes and compares passwords, a few at a time. */
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** What a password is compared with where there is no account, so that it takes as long as where there is one. */
  private readonly nobodys = hash('a password that nobody has', COST);

  /** @throws {Rejection} when too many wait already */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, COST));
  }

  /**
   * Whether the password is the one behind the hash; takes its time also when there is no hash.
   * @throws {Rejection} when too many wait already
   */
  async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
    const comparedWith = passwordHash ?? (await this.nobodys);
    const isSame = await this.inTurn(() => verify(comparedWith, password));
    return isSame && passwordHash !== undefined;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) await this.turn();
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= MAY_WAIT) refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
