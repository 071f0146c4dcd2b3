import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { RecordTransactions } from '@practice/write';
import { linkExpired, refuse } from '../calls/problems.js';
import { Sessions } from '../sessions/sessions.js';
import { PendingSignUp } from '../store/account.entities.js';
import { inFuture, rowsOf, tablesOn } from '../store/database.js';
import { tokenHash } from '../store/secrets.js';
import { note } from '../store/security-events.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { refuseStored } from '../users/stored-problems.js';
import { conclude, UseMailedToken } from './conclude.js';
import type { Concluded } from './conclude.js';
import { firstSession, register } from './register.js';

/**
 * Makes the account of a sign-up whose mail was answered, with the password of that sign-up. Other sign-ups with the address
 * end: the persons who asked for them have not read the mail.
 */
export class ConfirmSignUp extends UseMailedToken {}

@CommandHandler(ConfirmSignUp)
export class ConfirmSignUpHandler implements ICommandHandler<ConfirmSignUp> {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly sessions: Sessions,
  ) {}

  /** @throws {Rejection} when the token is unknown, used or has expired, or the address has an account by now */
  async execute({ presented: { token, isLink, address, trace } }: ConfirmSignUp): Promise<Concluded> {
    const hash = tokenHash(token);
    const found = await this.transactions.run({ presented: hash }, (tables) =>
      tables.findOneBy(PendingSignUp, { tokenHash: hash, expiresAt: inFuture }),
    );
    const signUp = found ?? refuse(linkExpired);
    const { userId, email, codeChallenge: challenge } = signUp;
    return this.records
      .run({ therapistId: userId, ...trace }, async (transaction) => {
        const tables = tablesOn(transaction.client);
        await actForCaller(tables, userId, email);
        const dropped = tables.createQueryBuilder().delete().from(PendingSignUp).where({ email });
        const ids = await rowsOf<{ id: string }>(dropped.returning('user_id AS id'));
        // The second of two calls with one token finds it used.
        if (!ids.some(({ id }) => id === userId)) refuse(linkExpired);
        const user = await register(transaction, { ...signUp, id: userId, isConfirmed: true });
        await note(transaction, { therapistId: userId, userId, kind: 'address_confirmed', address });
        const grant = () => firstSession(transaction, this.sessions, { user, address, method: 'otp' });
        return conclude(tables, { userId, challenge, isLink }, grant);
      })
      .catch(refuseStored(linkExpired));
  }
}
