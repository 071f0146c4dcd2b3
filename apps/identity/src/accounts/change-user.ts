import { Inject, Injectable } from '@nestjs/common';
import { users } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { checkedValues } from '@practice/resource';
import { RecordTransactions } from '@practice/write';
import type { RecordTransaction } from '@practice/write';
import type { ClientBase } from 'pg';
import type { AccountCall } from '../calls/call.js';
import { emailTaken, refuse, samePassword, userGone } from '../calls/problems.js';
import { RequestAddressChange } from './request-address-change.js';
import type { AskedChange } from './request-address-change.js';
import { replacePassword } from '../users/credentials.js';
import { PasswordCheck } from '../sessions/password-check.js';
import { checkNewPassword, Passwords } from '../users/passwords.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { voidTokens } from '../users/mailed-tokens.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { addressChangedMail, passwordChangedMail } from '../notices/templates.js';
import { endAccess } from './end-access.js';
import type { EndedAccess } from './end-access.js';
import { Sessions } from '../sessions/sessions.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { changeAddress } from './change-address.js';
import { PublicUsers } from '../users/public-user.js';
import { refuseStored } from '../users/stored-problems.js';
import { userChangesOf, withMetadata } from './user-changes.js';
import type { UserChanges } from './user-changes.js';
import { userById } from '../users/users.js';
import type { User } from '../users/users.js';

interface Outcome {
  readonly before: User;
  readonly after: User;
  readonly ended: EndedAccess;
}

/** Changes that were checked. An address in `asked` counts once it is confirmed, the one in `email` at once. */
interface Wanted {
  readonly data: object;
  readonly email: string | undefined;
  readonly asked: AskedChange | undefined;
  readonly passwordHash: string | undefined;
}

const NOTHING: EndedAccess = { sessions: [], tokens: [] };

/**
 * Changes the signed-in user's address, password or details. A new address or password needs a recent sign-in; a new
 * password ends all other sessions and all personal access tokens. Returns the user.
 */
@Injectable()
export class ChangeUser {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    private readonly passwords: Passwords,
    private readonly check: PasswordCheck,
    private readonly recent: RecentSignIn,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
    private readonly addresses: RequestAddressChange,
    private readonly users: PublicUsers,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  async execute(call: AccountCall): Promise<object> {
    const fields = call.fields();
    const changes = userChangesOf(fields);
    const isSensitive = changes.password !== undefined || changes.email !== undefined;
    const checked = isSensitive ? this.recent.require(call, fields) : this.recent.isProven(call, fields);
    await checked;
    const wanted = await this.wanted(call, changes);
    const { userId } = call.identity;
    const outcome = await this.records
      .run({ therapistId: userId, ...call.trace, by: call.identity }, (transaction) =>
        this.change(transaction, call.identity, wanted),
      )
      .catch(refuseStored(emailTaken));
    await this.gateways.accessEnded(outcome.ended);
    if (wanted.asked !== undefined) this.addresses.send(outcome.before.email, wanted.asked);
    this.notify(outcome);
    return this.users.of(outcome.after);
  }

  /** Hashing is slow, so it is done before the practice is locked. */
  private async wanted(call: AccountCall, { data, email, password }: UserChanges): Promise<Wanted> {
    const { userId } = call.identity;
    const found = await this.transactions.run({ userId }, (client) => userById(client, userId));
    const user = found ?? refuse(userGone);
    const passwordHash =
      password === undefined ? undefined : await this.newHash(call, user, { email, password });
    const isMailed = this.config.confirmsAddresses && email !== undefined && email !== user.email;
    return {
      ...{ data, passwordHash },
      email: this.config.confirmsAddresses ? undefined : email,
      asked: isMailed ? await this.addresses.admit(call, email) : undefined,
    };
  }

  private async newHash(
    { identity: { sessionId }, address }: AccountCall,
    { email, passwordHash }: User,
    { email: newEmail, password }: Pick<UserChanges, 'email' | 'password'>,
  ): Promise<string> {
    const chosen = checkNewPassword(password, newEmail ?? email);
    // The response depends on whether a guess is the password, so each guess counts as a failed sign-in.
    const isSame = await this.check.guarded({ email, address, sessionId }, () =>
      this.passwords.matches(passwordHash, chosen),
    );
    return isSame ? refuse(samePassword) : this.passwords.hash(chosen);
  }

  private async change(
    transaction: RecordTransaction,
    key: Identity,
    { data, email: newEmail, asked, passwordHash: newHash }: Wanted,
  ): Promise<Outcome> {
    const { client, now } = transaction;
    const { userId } = key;
    await actForUser(client, userId);
    const before = (await userById(client, userId)) ?? refuse(userGone);
    const email = newEmail ?? before.email;
    const metadata = withMetadata(before.metadata, data);
    const values = { email, metadata, ...(newHash !== undefined && { password_changed_at: now }) };
    const checked = checkedValues(users, values, userId);
    if (email === before.email) await transaction.change(users, userId, checked);
    else await changeAddress(transaction, userId, { ...checked, email });
    const ended = newHash === undefined ? NOTHING : await this.replacePassword(client, key, newHash);
    if (asked !== undefined) await this.addresses.keep(client, userId, asked);
    // Read again, as a new password ends an earlier request for another address.
    const kept = (await userById(client, userId)) ?? refuse(userGone);
    return { before, after: { ...kept, metadata, updatedAt: new Date(now) }, ended };
  }

  /** Stores a new password and ends everything that others may have opened with the old one. */
  private async replacePassword(
    client: ClientBase,
    { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>,
    hash: string,
  ): Promise<EndedAccess> {
    await replacePassword(client, userId, hash);
    // Tokens that were mailed for the old password must not undo the change.
    await voidTokens(client, userId);
    const caller = { userId, ...(sessionId !== undefined && { sessionId }), scope: 'others' } as const;
    return endAccess(client, this.sessions, caller);
  }

  /** Informs the owner, in case another person made the change. */
  private notify({ before, after }: Outcome): void {
    if (after.email !== before.email) this.mail.sendLater(async () => addressChangedMail(before.email));
    if (after.passwordHash !== before.passwordHash) {
      this.mail.sendLater(async () => passwordChangedMail(before.email));
    }
  }
}
