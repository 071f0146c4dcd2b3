import { Injectable } from '@nestjs/common';
import type { Credentials } from '../accounts/fields.js';
import { refuse, tooManyRequests } from '../accounts/problems.js';
import { Transactions } from '../transactions.js';
import { credentialByEmail } from './credentials.js';
import { Lockout } from './lockout.js';
import type { Attempt } from './lockout.js';
import { Passwords } from './passwords.js';

/** Finds the practice with this address and password. A wrong password and an unknown address get the same response in the same time. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly transactions: Transactions,
    private readonly passwords: Passwords,
    private readonly lockout: Lockout,
  ) {}

  /**
   * @param address the caller's network address; sign-ins from it are locked after many failures
   * @returns the id of the practice; undefined when the credentials are wrong
   * @throws {Rejection} when sign-in is locked
   */
  async practiceOf(credentials: Credentials, address: string): Promise<string | undefined> {
    const attempt: Attempt = { address, email: credentials.email };
    const lockedSeconds = await this.lockout.remainingSeconds(attempt);
    if (lockedSeconds > 0) refuse({ ...tooManyRequests, headers: { 'Retry-After': String(lockedSeconds) } });
    const therapistId = await this.authenticated(credentials);
    await (therapistId === undefined ? this.lockout.countFailure(attempt) : this.lockout.forget(attempt));
    return therapistId;
  }

  private async authenticated({ email, password }: Credentials): Promise<string | undefined> {
    const credential = await this.transactions.run({ presented: email }, (client) =>
      credentialByEmail(client, email),
    );
    const given = typeof password === 'string' ? password : '';
    const isRight = await this.passwords.matches(credential?.passwordHash, given);
    return isRight ? credential?.therapistId : undefined;
  }
}
