// The uses of mailed tokens: to confirm a sign-up, to recover an account, and to change an address.

import { Injectable } from '@nestjs/common';
import { RecordTransactions } from '@practice/write';
import type { EntityManager } from 'typeorm';
import type { AccountCall } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { VerificationType } from '../notices/site-links.js';
import { addressChangedMail } from '../notices/templates.js';
import { type Granted, Sessions } from '../sessions/sessions.js';
import { AddressChange, Credential, PendingSignUp } from '../store/account.entities.js';
import { deleting, inFuture, rowsOf, tablesOn } from '../store/database.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { note } from '../store/security-events.js';
import { Passkey } from '../store/passkey.entities.js';
import { Factor, RecoveryCode } from '../store/session.entities.js';
import { actForCaller, actForUser, Transactions } from '../store/transactions.js';
import { keepToken, useToken } from '../users/mailed-tokens.js';
import { Passwords } from '../users/passwords.js';
import { noteConfirmed, refuseStored, userById } from '../users/users.js';
import { changeAddress, changeByHash } from './address-change.js';
import { endAccess } from './sign-in.js';
import { firstSession, register } from './sign-up.js';

/** A mailed token as a caller presents it. */
interface PresentedToken extends Pick<AccountCall, 'address' | 'trace'> {
  readonly type: VerificationType;
  readonly token: string;
  /** Whether it was opened as a link, rather than sent by the app. */
  readonly isLink: boolean;
}

/** A presented token by its hash. */
type Hashed = Omit<PresentedToken, 'type' | 'token'> & { readonly hash: string };

/** A session, or a code that only the client that asked for the mail can exchange for one. */
type Concluded = Granted | { readonly code: string };

interface Answered {
  readonly userId: string;
  /** The code challenge of the client that asked for the mail, if it sent one. */
  readonly challenge: string | null;
  readonly isLink: boolean;
}

/**
 * Opens a session. If the mail was requested with a code challenge and its link was opened, makes a code instead, because others
 * may see the target of a link. The transaction acts for the user.
 */
async function conclude(
  tables: EntityManager,
  { userId, challenge, isLink }: Answered,
  grant: () => Promise<Granted>,
): Promise<Concluded> {
  if (challenge === null || !isLink) return grant();
  const code = randomToken();
  await keepToken(tables, userId, { hash: tokenHash(code), purpose: 'code', challenge });
  return { code };
}

@Injectable()
export class MailedTokens {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  /**
   * Uses a token up.
   * @returns undefined when one of two mails was answered and the other one is still open
   * @throws {Rejection} when it is unknown, used or has expired, or the address has an account by now
   */
  use({ type, token, ...presented }: PresentedToken): Promise<Concluded | undefined> {
    const hashed = { ...presented, hash: tokenHash(token) };
    switch (type) {
      case 'signup':
        return this.confirmSignUp(hashed).catch(refuseStored(problems.linkExpired));
      case 'recovery':
        return this.recover(hashed);
      case 'email_change':
        return this.confirmAddress(hashed).catch(refuseStored(problems.linkExpired));
    }
  }

  /**
   * Creates the account of a sign-up whose mail was answered, with the password of that sign-up. Other sign-ups with the address
   * end, because the people who requested them have not read this mail.
   */
  private async confirmSignUp({ hash, isLink, address, trace }: Hashed): Promise<Concluded> {
    const found = await this.transactions.run({ presented: hash }, (tables) =>
      tables.findOneBy(PendingSignUp, { tokenHash: hash, expiresAt: inFuture }),
    );
    const signUp = found ?? refuse(problems.linkExpired);
    const { userId, email, codeChallenge: challenge } = signUp;
    return this.records.run({ therapistId: userId, ...trace }, async (transaction) => {
      const tables = tablesOn(transaction.client);
      await actForCaller(tables, userId, email);
      const dropped = deleting(tables, PendingSignUp, { email }).returning('user_id AS id');
      const ids = await rowsOf<{ id: string }>(dropped);
      // If two calls present the same token, the second call finds no sign-up.
      if (!ids.some(({ id }) => id === userId)) refuse(problems.linkExpired);
      const user = await register(transaction, { ...signUp, id: userId }, { isConfirmed: true });
      await note(transaction, { therapistId: userId, userId, kind: 'address_confirmed', address });
      const grant = () => firstSession(transaction, this.sessions, { user, address, method: 'otp' });
      return conclude(tables, { userId, challenge, isLink }, grant);
    });
  }

  /**
   * Signs in; the user can then set a new password. All other sessions and all personal access tokens end, as another person may
   * have made them. If the address was never confirmed, that person may also have signed up with it. Then the existing password,
   * passkeys and second factors are removed too.
   */
  private async recover({ hash, isLink, address }: Hashed): Promise<Concluded> {
    const { ended, result } = await this.transactions.run({ presented: hash }, async (tables) => {
      const { userId, challenge } =
        (await useToken(tables, hash, 'recovery')) ?? refuse(problems.linkExpired);
      await actForUser(tables, userId);
      const access = await endAccess(tables, this.sessions, { userId, scope: 'global' });
      if (await noteConfirmed(tables, userId)) await this.disown(tables, userId);
      const open = () => this.sessions.grant(tables, { userId, address, method: 'otp' });
      return { ended: access, result: await conclude(tables, { userId, challenge, isLink }, open) };
    });
    await this.gateways.accessEnded(ended);
    return result;
  }

  /** Removes everything that the person who signed up with the address could still open the account with. */
  private async disown(tables: EntityManager, userId: string): Promise<void> {
    await tables.delete(Factor, { userId });
    await tables.delete(RecoveryCode, { userId });
    await tables.delete(Passkey, { userId });
    const passwordHash = await this.passwords.hash(randomToken());
    await tables.update(Credential, { userId }, { passwordHash });
  }

  /** Processes the response to one of the two mails about a new address. The second response changes the address. */
  private async confirmAddress({ hash, isLink, address, trace }: Hashed): Promise<Concluded | undefined> {
    const found = await this.transactions.run({ presented: hash }, (tables) => changeByHash(tables, hash));
    const { userId } = found ?? refuse(problems.linkExpired);
    const changed = await this.records.run({ therapistId: userId, ...trace }, async (transaction) => {
      const tables = tablesOn(transaction.client);
      await actForCaller(tables, userId, hash);
      const { email, challenge, side, isOtherAnswered } =
        (await changeByHash(tables, hash)) ?? refuse(problems.linkExpired);
      if (!isOtherAnswered) {
        await tables.update(AddressChange, { userId }, { [`${side}ConfirmedAt`]: () => 'now()' });
        return undefined;
      }
      const before = (await userById(tables, userId)) ?? refuse(problems.userGone);
      await changeAddress(transaction, userId, { email });
      await noteConfirmed(tables, userId);
      await note(transaction, { therapistId: userId, userId, kind: 'address_confirmed', address });
      const open = () => this.sessions.grant(tables, { userId, address, method: 'otp' });
      const concluded = await conclude(tables, { userId, challenge, isLink }, open);
      return { before: before.email, concluded };
    });
    if (changed === undefined) return undefined;
    this.mail.sendLater(addressChangedMail(changed.before));
    return changed.concluded;
  }
}
