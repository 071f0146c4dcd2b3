import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { AccountCall } from '../calls/call.js';
import { credentialByEmail } from '../users/credentials.js';
import { challengeOf } from '../users/code-challenge.js';
import { MailGate } from '../notices/mail-gate.js';
import { randomToken } from '../users/mailed-tokens.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { addressInUseMail, approveAddressMail, confirmAddressMail } from '../notices/templates.js';
import { tokenHash } from '../sessions/sessions.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { keepChange, openChange } from '../users/address-changes.js';
import type { AddressChange, Side } from '../users/address-changes.js';

/** A change of an address that is about to be mailed. */
export interface AskedChange extends Omit<AddressChange, 'hashes'> {
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
  ): Promise<AskedChange> {
    const challenge = challengeOf(fields());
    await this.gate.pass(`address ${userId}`);
    return askedOf({ email, challenge, redirectTo: parameters.get('redirect_to') });
  }

  /** Stores the change. The transaction acts for the user. */
  keep(client: ClientBase, userId: string, { email, challenge, tokens }: AskedChange): Promise<void> {
    const hashes = { old: tokenHash(tokens.old), new: tokenHash(tokens.new) };
    return keepChange(client, userId, { email, challenge, hashes });
  }

  /** @param present the address that the account has now */
  send(present: string, { email, tokens, redirectTo }: AskedChange): void {
    const linkOf = (token: string) => ({
      link: this.links.verification('email_change', token, redirectTo),
      token,
    });
    this.mail.sendLater(async () => approveAddressMail(present, { ...linkOf(tokens.old), email }));
    this.mail.sendLater(async () => {
      const taken = await this.transactions.run({ presented: email }, (client) =>
        credentialByEmail(client, email),
      );
      return taken === undefined ? confirmAddressMail(email, linkOf(tokens.new)) : addressInUseMail(email);
    });
  }

  /** Mails the open change of the account with this address again, if there is one. Tokens from before no longer count. */
  again(present: string, redirectTo: string | null): void {
    this.mail.sendLater(async () => {
      const asked = await this.transactions.run({ presented: present }, async (client) => {
        const credential = await credentialByEmail(client, present);
        if (credential === undefined) return undefined;
        await actForUser(client, credential.userId);
        const open = await openChange(client, credential.userId);
        const renewed = open && askedOf({ ...open, redirectTo });
        if (renewed) await this.keep(client, credential.userId, renewed);
        return renewed;
      });
      if (asked) this.send(present, asked);
      return undefined;
    });
  }
}

const askedOf = (change: Omit<AskedChange, 'tokens'>): AskedChange => ({
  ...change,
  tokens: { old: randomToken(), new: randomToken() },
});
