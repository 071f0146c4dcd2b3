// Changes of an address that wait for the responses to two mails. A user has at most one open change.

import { Injectable } from '@nestjs/common';
import { users } from '@practice/contracts';
import type { Row } from '@practice/resource';
import type { RecordTransaction } from '@practice/write';
import { type EntityManager, IsNull, Not } from 'typeorm';
import type { AccountCall } from '../calls/call.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { addressInUseMail, approveAddressMail, confirmAddressMail } from '../notices/templates.js';
import { readdressing } from '../practices/membership.js';
import { AddressChange, Credential } from '../store/account.entities.js';
import { inFuture, nowInMilliseconds, tablesOn } from '../store/database.js';
import { MembershipRecord, PracticeRecord } from '../store/record.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { type MailOptions, mailOptionsOf, voidTokens } from '../users/mailed-tokens.js';
import { practice } from '../users/user.js';

/** The mailbox that a mail went to: of the present address, or of the new one. */
type Side = 'old' | 'new';

/**
 * The change behind the hash of a token, locked until the transaction ends; undefined when the token was used or has expired.
 * @returns also the side of the token, and whether the other mail has been answered
 */
export async function changeByHash(tables: EntityManager, hash: string) {
  const found = await tables.findOne(AddressChange, {
    where: [
      { oldTokenHash: hash, oldConfirmedAt: IsNull(), expiresAt: inFuture },
      { newTokenHash: hash, newConfirmedAt: IsNull(), expiresAt: inFuture },
    ],
    lock: { mode: 'pessimistic_write' },
  });
  if (found === null) return undefined;
  const { userId, email, codeChallenge: challenge } = found;
  const [side, other] =
    found.oldTokenHash === hash
      ? (['old', found.newConfirmedAt] as const)
      : (['new', found.oldConfirmedAt] as const);
  return { userId, email, challenge, side, isOtherAnswered: other !== null };
}

/** A change of an address that is about to be mailed. */
export interface RequestedChange extends MailOptions {
  readonly email: string;
  readonly tokens: Readonly<Record<Side, string>>;
}

/**
 * Mails a link each to the present and the new address of a user. If the new address has an account, its owner gets a notice
 * instead. The lookup happens after the response, so the response does not reveal whether there is an account.
 */
@Injectable()
export class RequestAddressChange {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
  ) {}

  /** @throws {Rejection} when mails cannot be sent now, or to this user again so soon */
  async admit(call: AccountCall, email: string): Promise<RequestedChange> {
    const options = mailOptionsOf(call);
    await this.mail.admit(`address ${call.identity.userId}`);
    return withTokens({ email, ...options });
  }

  /** Stores the change, and deletes an earlier one of the user. The transaction acts for the user. */
  async keep(
    tables: EntityManager,
    userId: string,
    { email, challenge, tokens }: RequestedChange,
  ): Promise<void> {
    await tables.delete(AddressChange, { userId });
    await tables.insert(AddressChange, {
      userId,
      email,
      oldTokenHash: tokenHash(tokens.old),
      newTokenHash: tokenHash(tokens.new),
      codeChallenge: challenge,
      sentAt: nowInMilliseconds,
      expiresAt: () => `now() + interval '24 hours'`,
    });
  }

  /** @param present the address that the account has now */
  send(present: string, { email, tokens, redirectTo }: RequestedChange): void {
    const linkOf = (token: string) => this.links.verification('email_change', token, redirectTo);
    this.mail.sendLater(approveAddressMail(present, { ...linkOf(tokens.old), email }));
    this.mail.sendLater(async () => {
      const isTaken = await this.transactions.run({ presented: email }, (tables) =>
        tables.existsBy(Credential, { email }),
      );
      return isTaken ? addressInUseMail(email) : confirmAddressMail(email, linkOf(tokens.new));
    });
  }

  /** Mails the open change of the account with this address again, if there is one. Earlier tokens become invalid. */
  again(present: string, { redirectTo, challenge }: MailOptions): void {
    this.mail.sendLater(async () => {
      const renewed = await this.transactions.run({ presented: present }, async (tables) => {
        const credential = await tables.findOneBy(Credential, { email: present });
        if (credential === null) return undefined;
        const { userId } = credential;
        await actForUser(tables, userId);
        const open = await tables.findOneBy(AddressChange, { userId, expiresAt: inFuture });
        if (open === null) return undefined;
        const { email, codeChallenge } = open;
        const again = withTokens({ email, redirectTo, challenge: challenge ?? codeChallenge });
        await this.keep(tables, userId, again);
        return again;
      });
      if (renewed) this.send(present, renewed);
      return undefined;
    });
  }
}

const withTokens = (change: Omit<RequestedChange, 'tokens'>): RequestedChange => ({
  ...change,
  tokens: { old: randomToken(), new: randomToken() },
});

/**
 * Gives a user another address, in the user's own transaction. The practice that the user opened and the user's membership
 * in it get the same address, unless the practice is erased. Tokens that were mailed to the old address become invalid.
 * @param values the new address, and other new values of the user's record; they are checked already
 */
export async function changeAddress(
  transaction: RecordTransaction,
  id: string,
  values: Row & { readonly email: string },
): Promise<void> {
  const { email } = values;
  const tables = tablesOn(transaction.client);
  await transaction.change(users, id, values);
  await transaction.changeBy(practice, id, { email });
  if (!(await tables.existsBy(PracticeRecord, { therapistId: id, erasedAt: Not(IsNull()) })))
    for (const own of await tables.findBy(MembershipRecord, { therapistId: id, userId: id }))
      await transaction.changeBy(readdressing, own.id, { email });
  await tables.update(Credential, { userId: id }, { email });
  await voidTokens(tables, id);
}
