import { Injectable } from '@nestjs/common';
import { RecordTransactions } from '@practice/write';
import { linkExpired, refuse } from '../calls/problems.js';
import { conclude } from './conclude.js';
import type { Concluded, PresentedToken } from './conclude.js';
import { note } from '../store/security-events.js';
import { Sessions, tokenHash } from '../sessions/sessions.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { firstSession, register } from './register.js';
import { refuseStored } from '../users/stored-problems.js';
import { dropSignUps, signUpByHash } from './pending-sign-ups.js';

/**
 * Makes the account of a sign-up whose mail was answered, with the password of that sign-up. Other sign-ups with the address
 * end: the persons who asked for them have not read the mail.
 */
@Injectable()
export class ConfirmSignUp {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly sessions: Sessions,
  ) {}

  /** @throws {Rejection} when the token is unknown, used or has expired, or the address has an account by now */
  async execute({ token, isLink, address, trace }: PresentedToken): Promise<Concluded> {
    const hash = tokenHash(token);
    const signUp =
      (await this.transactions.run({ presented: hash }, (client) => signUpByHash(client, hash))) ??
      refuse(linkExpired);
    const { userId, email, challenge } = signUp;
    return this.records
      .run({ therapistId: userId, ...trace }, async (transaction) => {
        const { client } = transaction;
        await actForCaller(client, userId, email);
        // The second of two calls with one token finds it used.
        if (!(await dropSignUps(client, email)).includes(userId)) refuse(linkExpired);
        const user = await register(transaction, { ...signUp, id: userId, isConfirmed: true });
        await note(transaction, { therapistId: userId, userId, kind: 'address_confirmed', address });
        const grant = () => firstSession(transaction, this.sessions, { user, address, method: 'otp' });
        return conclude(client, { userId, challenge, isLink }, grant);
      })
      .catch(refuseStored(linkExpired));
  }
}
