import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { users } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { checkedValues } from '@practice/resource';
import { RecordTransactions } from '@practice/write';
import type { RecordTransaction } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { AccountCommand } from '../calls/call.js';
import type { AccountCall, AccountHandler } from '../calls/call.js';
import { emailTaken, refuse, samePassword, userGone } from '../calls/problems.js';
import { RequestAddressChange } from './request-address-change.js';
import type { RequestedChange } from './request-address-change.js';
import { Credential } from '../store/account.entities.js';
import { PasswordCheck } from '../sessions/password-check.js';
import { checkNewPassword, Passwords } from '../users/passwords.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import type { EndedAccess } from '../notices/announcements.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { voidTokens } from '../users/mailed-tokens.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { addressChangedMail, passwordChangedMail } from '../notices/templates.js';
import { endAccess } from './end-access.js';
import { Sessions } from '../sessions/sessions.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { changeAddress } from './change-address.js';
import { PublicUsers } from '../users/public-user.js';
import { refuseStored } from '../users/stored-problems.js';
import { userChangesOf, withMetadata } from './user-changes.js';
import type { UserChanges } from './user-changes.js';
import { userById } from '../users/users.js';
import type { User } from '../users/users.js';
import { tablesOn } from '../store/database.js';

interface Done {
  readonly before: User;
  readonly after: User;
  readonly ended: EndedAccess;
}

/** Changes that were checked. An address in `requested` counts once it is confirmed, the one in `email` at once. */
interface CheckedChanges {
  readonly data: object;
  readonly email: string | undefined;
  readonly requested: RequestedChange | undefined;
  readonly passwordHash: string | undefined;
}

const NOTHING: EndedAccess = { sessions: [], tokens: [] };

/**
 * Changes the signed-in user's address, password or details. A new address or password needs a recent sign-in; a new
 * password ends all other sessions and all personal access tokens. Returns the user.
 */
export class ChangeUser extends AccountCommand {}

@CommandHandler(ChangeUser)
export class ChangeUserHandler implements AccountHandler<ChangeUser> {
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

  async execute({ call }: ChangeUser) {
    const fields = call.fields();
    const changes = userChangesOf(fields);
    const isSensitive = changes.password !== undefined || changes.email !== undefined;
    await (isSensitive ? this.recent.require(call, fields) : this.recent.isProven(call, fields));
    const checked = await this.checked(call, changes);
    const { userId } = call.identity;
    const done = await this.records
      .run({ therapistId: userId, ...call.trace, by: call.identity }, (transaction) =>
        this.change(transaction, call.identity, checked),
      )
      .catch(refuseStored(emailTaken));
    await this.gateways.accessEnded(done.ended);
    if (checked.requested !== undefined) this.addresses.send(done.before.email, checked.requested);
    this.notify(done);
    return { body: this.users.of(done.after) };
  }

  /** Hashing is slow, so it is done before the practice is locked. */
  private async checked(call: AccountCall, { data, email, password }: UserChanges): Promise<CheckedChanges> {
    const { userId } = call.identity;
    const found = await this.transactions.run({ userId }, (tables) => userById(tables, userId));
    const user = found ?? refuse(userGone);
    const passwordHash =
      password === undefined ? undefined : await this.newHash(call, user, { email, password });
    const isMailed = this.config.confirmsAddresses && email !== undefined && email !== user.email;
    return {
      data,
      passwordHash,
      email: this.config.confirmsAddresses ? undefined : email,
      requested: isMailed ? await this.addresses.admit(call, email) : undefined,
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
    { data, email: newEmail, requested, passwordHash: newHash }: CheckedChanges,
  ): Promise<Done> {
    const { now } = transaction;
    const tables = tablesOn(transaction.client);
    const { userId } = key;
    await actForUser(tables, userId);
    const before = (await userById(tables, userId)) ?? refuse(userGone);
    const email = newEmail ?? before.email;
    const metadata = withMetadata(before.metadata, data);
    const values = { email, metadata, ...(newHash !== undefined && { password_changed_at: now }) };
    const checked = checkedValues(users, values, userId);
    if (email === before.email) await transaction.change(users, userId, checked);
    else await changeAddress(transaction, userId, { ...checked, email });
    const ended = newHash === undefined ? NOTHING : await this.replacePassword(tables, key, newHash);
    if (requested !== undefined) await this.addresses.keep(tables, userId, requested);
    // Read again, as a new password ends an earlier request for another address.
    const kept = (await userById(tables, userId)) ?? refuse(userGone);
    return { before, after: { ...kept, metadata, updatedAt: new Date(now) }, ended };
  }

  /** Stores a new password and ends everything that others may have opened with the old one. */
  private async replacePassword(
    tables: EntityManager,
    { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>,
    hash: string,
  ): Promise<EndedAccess> {
    await tables.update(Credential, { userId }, { passwordHash: hash });
    // Tokens that were mailed for the old password must not undo the change.
    await voidTokens(tables, userId);
    const caller = { userId, ...(sessionId !== undefined && { sessionId }), scope: 'others' } as const;
    return endAccess(tables, this.sessions, caller);
  }

  /** Informs the owner, in case another person made the change. */
  private notify({ before, after }: Done): void {
    if (after.email !== before.email) this.mail.sendLater(async () => addressChangedMail(before.email));
    if (after.passwordHash !== before.passwordHash) {
      this.mail.sendLater(async () => passwordChangedMail(before.email));
    }
  }
}
