import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountCall } from '../calls/call.js';
import { AddressChange, Credential } from '../store/account.entities.js';
import { inFuture } from '../store/database.js';
import { challengeOf } from '../users/code-challenge.js';
import { MailGate } from '../notices/mail-gate.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { addressInUseMail, approveAddressMail, confirmAddressMail } from '../notices/templates.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { keepChange } from '../users/address-changes.js';
import type { RequestedAddress, Side } from '../users/address-changes.js';

/** A change of an address that is about to be mailed. */
export interface RequestedChange extends Omit<RequestedAddress, 'hashes'> {
  readonly tokens: Readonly<Record<Side, string>>;
  /** The requested target of the links. */
  readonly redirectTo: string | null;
}

/**
 * Mails the present and the new address of a user a link each. If the new address has an account, its owner gets a notice
 * instead. It is looked up after the response, so nothing reveals whether it has one.
 */
@Injectable()
export class RequestAddressChange {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    private readonly gate: MailGate,
  ) {}

  /** @throws {Rejection} when mails cannot be sent now, or to this user again so soon */
  async admit(
    { fields, parameters, identity: { userId } }: Pick<AccountCall, 'fields' | 'parameters' | 'identity'>,
    email: string,
  ): Promise<RequestedChange> {
    const challenge = challengeOf(fields());
    await this.gate.pass(`address ${userId}`);
    return withTokens({ email, challenge, redirectTo: parameters.get('redirect_to') });
  }

  /** Stores the change. The transaction acts for the user. */
  keep(tables: EntityManager, userId: string, { email, challenge, tokens }: RequestedChange): Promise<void> {
    const hashes = { old: tokenHash(tokens.old), new: tokenHash(tokens.new) };
    return keepChange(tables, userId, { email, challenge, hashes });
  }

  /** @param present the address that the account has now */
  send(present: string, { email, tokens, redirectTo }: RequestedChange): void {
    const linkOf = (token: string) => ({
      link: this.links.verification('email_change', token, redirectTo),
      token,
    });
    this.mail.sendLater(async () => approveAddressMail(present, { ...linkOf(tokens.old), email }));
    this.mail.sendLater(async () => {
      const isTaken = await this.transactions.run({ presented: email }, (tables) =>
        tables.existsBy(Credential, { email }),
      );
      return isTaken ? addressInUseMail(email) : confirmAddressMail(email, linkOf(tokens.new));
    });
  }

  /** Mails the open change of the account with this address again, if there is one. Tokens from before no longer count. */
  again(present: string, redirectTo: string | null): void {
    this.mail.sendLater(async () => {
      const renewed = await this.transactions.run({ presented: present }, async (tables) => {
        const credential = await tables.findOneBy(Credential, { email: present });
        if (credential === null) return undefined;
        const { userId } = credential;
        await actForUser(tables, userId);
        const open = await tables.findOneBy(AddressChange, { userId, expiresAt: inFuture });
        if (open === null) return undefined;
        const { email, codeChallenge: challenge } = open;
        const again = withTokens({ email, challenge, redirectTo });
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
