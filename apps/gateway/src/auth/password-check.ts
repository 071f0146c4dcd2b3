import { Database } from '../database.js';
import { Lockout } from '../limits/lockout.js';
import type { Attempt } from '../limits/lockout.js';
import type { Credentials } from './auth-body.js';
import { invalidCredentials, refuse, tooManyRequests } from './errors.js';
import { Passwords } from './passwords.js';
import { userByEmail } from './users.js';
import type { User } from './users.js';
import { Injectable } from '@nestjs/common';

/** Tells whose address and password these are. Nothing in a refusal, nor in its time, tells a wrong password from an unknown address. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly lockout: Lockout,
  ) {}

  /**
   * @param address the caller's network address, for the lock after many failures
   * @throws {Rejection} when they are nobody's, or the two are locked out
   */
  async userOf(credentials: Credentials, address: string): Promise<User> {
    return (await this.find(credentials, address)) ?? refuse(invalidCredentials);
  }

  /**
   * Whether somebody who is signed in knows the password as well.
   * @throws {Rejection} when it is locked out
   */
  async isOwner(credentials: Credentials, address: string): Promise<boolean> {
    return (await this.find(credentials, address)) !== undefined;
  }

  private async find(credentials: Credentials, address: string): Promise<User | undefined> {
    const attempt: Attempt = { address, email: credentials.email };
    const lockedSeconds = await this.lockout.remainingSeconds(attempt);
    if (lockedSeconds > 0) refuse({ ...tooManyRequests, headers: { 'Retry-After': String(lockedSeconds) } });
    const user = await this.authenticated(credentials);
    await (user === undefined ? this.lockout.countFailure(attempt) : this.lockout.forget(attempt));
    return user;
  }

  private async authenticated({ email, password }: Credentials): Promise<User | undefined> {
    const user = await this.database.transaction({ presented: email }, (client) =>
      userByEmail(client, email),
    );
    const given = typeof password === 'string' ? password : '';
    return (await this.passwords.matches(user?.passwordHash, given)) ? user : undefined;
  }
}
