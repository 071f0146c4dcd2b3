// The changes of a user that a call requests, and the user's details after these changes.

import { Inject } from '@nestjs/common';
import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { users } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { checkedValues } from '@practice/resource';
import { type RecordTransaction, RecordTransactions } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { type AccountCall, AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { boundedMetadata, emailOf, type Fields, metadataOf } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { type EndedAccess, GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { addressChangedMail, nonceMail, passwordChangedMail } from '../notices/templates.js';
import { PasswordCheck } from '../sessions/password-check.js';
import { type CallersSession, requireSession } from '../sessions/proven.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { Sessions } from '../sessions/sessions.js';
import { Credential } from '../store/account.entities.js';
import { tablesOn } from '../store/database.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { keepToken, nonce, nonceHash, voidTokens } from '../users/mailed-tokens.js';
import { checkNewPassword, Passwords } from '../users/passwords.js';
import { addressOf, publicUser, refuseStored, type User, userById } from '../users/users.js';
import { changeAddress, RequestAddressChange, type RequestedChange } from './address-change.js';
import { endAccess } from './sign-in.js';

/**
 * The changes in a body; undefined means unchanged. The password is not checked yet.
 * @throws {Rejection} when the address or the details are malformed, or a phone number is given
 */
function userChangesOf(fields: Fields) {
  if (isGiven(fields['phone'])) refuse(problems.noPhone);
  const password = fields['password'] ?? undefined;
  return { email: emailOf(fields['email']), password, data: metadataOf(fields) };
}

type UserChanges = ReturnType<typeof userChangesOf>;

/** The details with `data` merged in; members that are null in `data` are removed. */
function withMetadata(metadata: object, data: object): object {
  // Earlier details may be larger than new ones.
  if (Object.keys(data).length === 0) return metadata;
  const entries = Object.entries({ ...metadata, ...data }).filter(([, value]) => value !== null);
  return boundedMetadata(Object.fromEntries(entries));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Checked changes. An address in `requested` takes effect when it is confirmed, an address in `email` at once. */
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
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  async execute({ call }: ChangeUser) {
    const fields = call.fields();
    const given = userChangesOf(fields);
    const { userId } = call.identity;
    const found = await this.transactions.run({ userId }, (tables) => userById(tables, userId));
    const user = found ?? refuse(problems.userGone);
    // A nonce can be used once, so it is checked last. Without one, a guess at the password needs the proof first.
    const hasNonce = isGiven(fields['nonce']);
    const isSensitive = given.password !== undefined || given.email !== undefined;
    const prove = () =>
      isSensitive ? this.recent.require(call, fields) : this.recent.isProven(call, fields);
    if (!hasNonce) await prove();
    const changes = { ...given, password: await this.newPassword(call, user, given) };
    if (hasNonce) await prove();
    const checked = await this.checked(call, user, changes);
    const done = await this.records
      .run({ therapistId: userId, ...call.trace, by: call.identity }, (transaction) =>
        this.change(transaction, call.identity, checked),
      )
      .catch(refuseStored(problems.emailTaken));
    await this.gateways.accessEnded(done.ended);
    if (checked.requested !== undefined) this.addresses.send(done.before.email, checked.requested);
    this.notify(done.before, done.after);
    return { body: publicUser(done.after, this.config) };
  }

  /** Hashing is slow, so it is done before the practice is locked. */
  private async checked(
    call: AccountCall,
    user: User,
    { data, email, password }: UserChanges & { readonly password: string | undefined },
  ): Promise<CheckedChanges> {
    const passwordHash = password === undefined ? undefined : await this.passwords.hash(password);
    const isMailed = this.config.confirmsAddresses && email !== undefined && email !== user.email;
    return {
      data,
      passwordHash,
      email: this.config.confirmsAddresses ? undefined : email,
      requested: isMailed ? await this.addresses.admit(call, email) : undefined,
    };
  }

  /** @throws {Rejection} when the new password is weak, or is the present one */
  private async newPassword(
    { identity: { sessionId }, address }: AccountCall,
    { email, passwordHash }: User,
    given: UserChanges,
  ): Promise<string | undefined> {
    if (given.password === undefined) return undefined;
    const chosen = checkNewPassword(given.password, given.email ?? email);
    // The response depends on whether a guess is the password, so each guess counts as a failed sign-in.
    const isSame = await this.check.guarded({ email, address, countedBy: sessionId }, () =>
      this.passwords.matches(passwordHash, chosen),
    );
    return isSame ? refuse(problems.samePassword) : chosen;
  }

  private async change(
    transaction: RecordTransaction,
    key: Identity,
    { data, email: newEmail, requested, passwordHash: newHash }: CheckedChanges,
  ) {
    const { now } = transaction;
    const tables = tablesOn(transaction.client);
    const { userId } = key;
    await actForUser(tables, userId);
    // A recovery or a sign-out may have ended the session while the call waited or the password was hashed.
    await requireSession(tables, key);
    const before = (await userById(tables, userId)) ?? refuse(problems.userGone);
    const email = newEmail ?? before.email;
    const metadata = withMetadata(before.metadata, data);
    const values = { email, metadata, ...(newHash !== undefined && { password_changed_at: now }) };
    const checked = checkedValues(users, values, userId);
    if (email === before.email) await transaction.change(users, userId, checked);
    else await changeAddress(transaction, userId, { ...checked, email });
    const ended = newHash === undefined ? NOTHING : await this.replacePassword(tables, key, newHash);
    if (requested !== undefined) await this.addresses.keep(tables, userId, requested);
    // Read again, as a new password ends an earlier request for another address.
    const kept = (await userById(tables, userId)) ?? refuse(problems.userGone);
    return { before, after: { ...kept, metadata, updatedAt: new Date(now) }, ended };
  }

  /** Stores a new password and ends everything that others may have opened with the old one. */
  private async replacePassword(
    tables: EntityManager,
    session: CallersSession,
    hash: string,
  ): Promise<EndedAccess> {
    const { userId } = session;
    await tables.update(Credential, { userId }, { passwordHash: hash });
    // Tokens that were mailed for the old password must not undo the change.
    await voidTokens(tables, userId);
    return endAccess(tables, this.sessions, { ...session, scope: 'others' });
  }

  /** Informs the owner, in case another person made the change. */
  private notify(before: User, after: User): void {
    if (after.email !== before.email) this.mail.sendLater(addressChangedMail(before.email));
    if (after.passwordHash !== before.passwordHash) this.mail.sendLater(passwordChangedMail(before.email));
  }
}

// The account of the signed-in user: read it, and prove access to its mailbox.

export class ReadUser extends AccountQuery {}

@QueryHandler(ReadUser)
export class ReadUserHandler implements AccountHandler<ReadUser> {
  constructor(
    private readonly transactions: Transactions,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  async execute({ call }: ReadUser) {
    const { userId } = call.identity;
    const user = await this.transactions.run({ userId }, (tables) => userById(tables, userId));
    return { body: publicUser(user ?? refuse(problems.userGone), this.config) };
  }
}

/** Mails the signed-in user a nonce. Sent back with a change of the account, it proves access to the mailbox. */
export class Reauthenticate extends AccountCommand {}

@CommandHandler(Reauthenticate)
export class ReauthenticateHandler implements AccountHandler<Reauthenticate> {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ call }: Reauthenticate) {
    const { userId } = call.identity;
    const found = await this.transactions.run({ userId }, (tables) => addressOf(tables, userId));
    const email = found ?? refuse(problems.userGone);
    // With its own key: strangers ask for recoveries of the address.
    await this.mail.admit(`nonce ${userId}`);
    const code = nonce();
    const kept = { hash: nonceHash(userId, code), purpose: 'reauthentication' } as const;
    await this.transactions.run({ userId }, (tables) => keepToken(tables, userId, kept));
    this.mail.sendLater(nonceMail(email, code));
    return { body: {} };
  }
}
