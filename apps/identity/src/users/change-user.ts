import { Injectable } from '@nestjs/common';
import { practices, users } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { checkedValues } from '@practice/resource';
import { RecordTransactions } from '@practice/service';
import type { RecordTransaction } from '@practice/service';
import type { ClientBase } from 'pg';
import type { AccountCall } from '../accounts/call.js';
import {
  emailTaken,
  refuse,
  samePassword,
  userGone,
  wrongCurrentPassword,
  wrongNonce,
} from '../accounts/problems.js';
import { updateCredential } from '../credentials/credentials.js';
import { PasswordCheck } from '../credentials/password-check.js';
import { checkNewPassword, Passwords } from '../credentials/passwords.js';
import { GatewayAnnouncements } from '../gateway/announcements.js';
import { nonceHash, useToken, voidTokens } from '../mail/mailed-tokens.js';
import { OutgoingMail } from '../mail/outgoing-mail.js';
import { addressChangedMail, passwordChangedMail } from '../mail/templates.js';
import { Sessions } from '../sessions/sessions.js';
import type { EndedSession } from '../sessions/sessions.js';
import { Transactions } from '../transactions.js';
import { refuseStored } from './stored-problems.js';
import { userChangesOf, withMetadata } from './user-changes.js';
import type { UserChanges } from './user-changes.js';
import { publicUser, userById } from './users.js';
import type { User } from './users.js';

interface Outcome {
  readonly before: User;
  readonly after: User;
  readonly ended: readonly EndedSession[];
}

/** No session has this id: a password change with another issuer's token ends every session. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** Changes the signed-in user's address, password or details. Returns the user. */
@Injectable()
export class ChangeUser {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    private readonly passwords: Passwords,
    private readonly check: PasswordCheck,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  async execute(call: AccountCall): Promise<object> {
    const changes = userChangesOf(call.fields());
    const passwordHash = await this.newHash(call, changes);
    const { therapistId } = call.identity;
    const outcome = await this.records
      .run({ therapistId, ...call.trace }, (transaction) =>
        this.change(transaction, call.identity, { ...changes, passwordHash }),
      )
      .catch(refuseStored(emailTaken));
    this.gateways.sessionsEnded(outcome.ended);
    this.notify(outcome);
    return publicUser(outcome.after);
  }

  /** Hashing is slow, so it is done before the practice is locked. */
  private async newHash(
    { identity: { therapistId }, address }: AccountCall,
    { password, currentPassword, email: newEmail }: UserChanges,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined;
    const user = await this.transactions.run({ therapistId }, (client) => userById(client, therapistId));
    const { email, passwordHash } = user ?? refuse(userGone);
    const chosen = checkNewPassword(password, newEmail ?? email);
    if (currentPassword !== undefined) {
      const owner = await this.check.practiceOf({ email, password: currentPassword }, address);
      if (owner === undefined) refuse(wrongCurrentPassword);
    }
    if (await this.passwords.matches(passwordHash, chosen)) refuse(samePassword);
    return this.passwords.hash(chosen);
  }

  private async change(
    transaction: RecordTransaction,
    { therapistId, sessionId = NO_SESSION }: Identity,
    { passwordHash: newHash, ...changes }: UserChanges & { readonly passwordHash: string | undefined },
  ): Promise<Outcome> {
    const { client, now } = transaction;
    const before = (await userById(client, therapistId)) ?? refuse(userGone);
    if (changes.nonce !== undefined) await useNonce(client, therapistId, changes.nonce);
    const { email = before.email } = changes;
    const passwordHash = newHash ?? before.passwordHash;
    const details = withMetadata(before.metadata, changes.data);
    const values = {
      email,
      metadata: details,
      ...(newHash === undefined ? {} : { password_changed_at: now }),
    };
    await transaction.change(users, therapistId, checkedValues(users, values, therapistId));
    await transaction.change(practices, therapistId, { email });
    const updatedAt = new Date(now);
    const after = { ...before, email, passwordHash, metadata: details, updatedAt };
    if (email === before.email && newHash === undefined) return { before, after, ended: [] };
    await updateCredential(client, { therapistId, email, passwordHash });
    // Tokens mailed to the old address, or for the old password, must not undo the change.
    await voidTokens(client, therapistId);
    const ended =
      newHash === undefined ? [] : await this.sessions.end(client, { therapistId, sessionId }, 'others');
    return { before, after, ended };
  }

  /** Informs the owner, in case another person made the change. */
  private notify({ before, after }: Outcome): void {
    if (after.email !== before.email) this.mail.sendLater(async () => addressChangedMail(before.email));
    if (after.passwordHash !== before.passwordHash) {
      this.mail.sendLater(async () => passwordChangedMail(before.email));
    }
  }
}

async function useNonce(client: ClientBase, therapistId: string, nonce: unknown): Promise<void> {
  const hash = typeof nonce === 'string' ? nonceHash(therapistId, nonce) : '';
  if ((await useToken(client, hash, 'reauthentication')) === undefined) refuse(wrongNonce);
}
