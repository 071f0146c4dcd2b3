import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { users } from '@practice/contracts';
import { newId, reject } from '@practice/core';
import { newRecord } from '@practice/resource';
import { type RecordTransaction, RecordTransactions } from '@practice/write';
import { type AccountCall, AccountCommand, type AccountHandler } from '../calls/call.js';
import { credentialsOf, isText, metadataOf } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { type Mail, OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { confirmationMail, signUpAgainMail } from '../notices/templates.js';
import { invitationByHash, joinInvited, notValid, practicesInviting } from '../practices/invitations.js';
import type { SignInMethod } from '../sessions/proven.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { type Granted, Sessions } from '../sessions/sessions.js';
import { Credential, PendingSignUp } from '../store/account.entities.js';
import { inFuture, tablesOn } from '../store/database.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { actForCaller, actForUser, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { found } from '../users/founders.js';
import { type MailOptions, mailOptionsOf } from '../users/mailed-tokens.js';
import { checkNewPassword, Passwords } from '../users/passwords.js';
import { refuseStored, unconfirmedUser, type User } from '../users/users.js';

/** When a sign-up that is not confirmed ends. */
const expiresAt = (): string => `now() + interval '24 hours'`;

/**
 * Mails the owner of an address a link that creates the account. If the address has an account, its owner gets a notice instead.
 * Responds before the address is looked up, so neither the response nor its time reveals whether there is an account.
 */
@Injectable()
export class RequestSignUp {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
  ) {}

  /** @throws {Rejection} when a mail cannot be sent now, or to this address again so soon */
  async admit(call: AccountCall, email: string): Promise<MailOptions> {
    const options = mailOptionsOf(call);
    await this.mail.admit(`sign-up ${email}`);
    return options;
  }

  /** Sends the mail in the background. Returns the user without a session. */
  execute(user: NewUser & MailOptions): object {
    this.mail.sendLater(() => this.write(user));
    return unconfirmedUser(user, new Date());
  }

  /** Mails the sign-up of an address again. Nothing is mailed if there are several, since some may come from strangers. */
  again(email: string, { redirectTo, challenge }: MailOptions): void {
    this.mail.sendLater(async () => {
      const token = randomToken();
      const isPending = await this.transactions.run({ presented: email }, async (tables) => {
        const [open, ...others] = await tables.findBy(PendingSignUp, { email, expiresAt: inFuture });
        if (open === undefined || others.length > 0) return false;
        const codeChallenge = challenge ?? open.codeChallenge;
        const renewed = { tokenHash: tokenHash(token), codeChallenge, expiresAt };
        return (await tables.update(PendingSignUp, { userId: open.userId }, renewed)).affected === 1;
      });
      return isPending ? this.confirmation(email, token, redirectTo) : undefined;
    });
  }

  private async write({ redirectTo, ...signUp }: NewUser & MailOptions): Promise<Mail> {
    const { id: userId, email, passwordHash, metadata, challenge } = signUp;
    const token = randomToken();
    const isKnown = await this.transactions.run({ presented: email }, async (tables) => {
      if (await tables.existsBy(Credential, { email })) return true;
      const kept = { userId, email, passwordHash, metadata, codeChallenge: challenge };
      const createdAt = (): string => 'now()';
      await tables.insert(PendingSignUp, { ...kept, tokenHash: tokenHash(token), createdAt, expiresAt });
      return false;
    });
    return isKnown ? signUpAgainMail(email) : this.confirmation(email, token, redirectTo);
  }

  private confirmation(email: string, token: string, redirectTo: string | null): Mail {
    return confirmationMail(email, this.links.verification('signup', token, redirectTo));
  }
}

interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
}

/** A new user has no second factor, has not switched to another practice and has no open mail. */
const NEW = { factors: [], practiceId: null, recoverySentAt: null, newEmail: null, changeSentAt: null };

/**
 * Creates a user, a practice and an owner's membership. From here on the transaction acts for the user.
 * @param options.isConfirmed whether the user has proven access to the mailbox of the address
 * @param options.isInvited whether the user joins the practice of an invitation; then no practice is created
 */
export async function register(
  transaction: RecordTransaction,
  user: NewUser,
  { isConfirmed = false, isInvited = false } = {},
): Promise<User> {
  const { id, email, metadata, passwordHash } = user;
  const { now } = transaction;
  const tables = tablesOn(transaction.client);
  const at = new Date(now);
  const values = { email, metadata, password_changed_at: now };
  if (!isInvited) await found(transaction, id, user);
  await transaction.create(users, newRecord(users, values, { therapistId: id, id: () => id, now }));
  await actForUser(tables, id);
  const seen = { lastSignInAt: at, confirmedAt: isConfirmed ? at : null };
  await tables.insert(Credential, { userId: id, email, passwordHash, ...seen });
  const times = { createdAt: at, updatedAt: at, ...seen };
  return { id, email, metadata, passwordHash, ...times, ...NEW };
}

interface FirstSignIn {
  readonly user: User;
  readonly address: string;
  readonly method: SignInMethod;
  /** The practice of the invitation; by default, the practice that the user opens. */
  readonly therapistId?: string;
}

/** Opens the first session of a user who has just been registered in the transaction. */
export async function firstSession(
  { client }: Pick<RecordTransaction, 'client'>,
  sessions: Sessions,
  { user, therapistId = user.id, ...signIn }: FirstSignIn,
): Promise<Granted> {
  const tables = tablesOn(client);
  const home = { userId: user.id, therapistId };
  const session = await sessions.open(tables, home, { at: user.createdAt, ...signIn });
  const standing = therapistId === user.id ? undefined : await standingIn(tables, home);
  return { user, session, role: 'owner', ...standing };
}

/** Registers and signs in a user, who opens a practice or joins one by an invitation. May first require a confirmation of the address. */
export class SignUp extends AccountCommand {}

@CommandHandler(SignUp)
export class SignUpHandler implements AccountHandler<SignUp> {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
    private readonly request: RequestSignUp,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  /** Hashes before anything is looked up, so the response time does not reveal whether the address is in use. */
  async execute({ call }: SignUp) {
    const given = call.fields();
    // Supabase's clients sign up without any of these to get an anonymous user.
    if (!given['email'] && !given['phone'] && !given['password']) refuse(problems.noAnonymous);
    const { email, password } = credentialsOf(given);
    const { invitation, ...metadata } = metadataOf(given) as { readonly invitation?: unknown };
    const chosen = checkNewPassword(password, email);
    const isConfirmedFirst = this.config.confirmsAddresses && !isText(invitation);
    const mail = isConfirmedFirst ? await this.request.admit(call, email) : undefined;
    const passwordHash = await this.passwords.hash(chosen);
    const user = { id: newId(), email, metadata, passwordHash };
    if (mail !== undefined) return { body: this.request.execute({ ...user, ...mail }) };
    const signedUp = isText(invitation) ? this.join(user, invitation, call) : this.open(user, call);
    return this.issue.reply(await signedUp.catch(refuseStored(problems.userExists)), call);
  }

  /**
   * Creates a user who joins the practice of an invitation and opens no practice. The token was mailed to the address, so
   * the address is confirmed.
   */
  private async join(user: NewUser, token: string, { trace, address }: AccountCall): Promise<Granted> {
    const { id: userId, email } = user;
    const hash = tokenHash(token);
    const otherPractices = await practicesInviting(this.transactions, userId, hash);
    return this.records.run({ therapistId: userId, otherPractices, ...trace }, async (transaction) => {
      const tables = tablesOn(transaction.client);
      await actForCaller(tables, userId, hash);
      // Checked first, so that a token reveals nothing about addresses other than its own.
      const invitation = (await invitationByHash(tables, hash)) ?? reject(notValid);
      const { therapistId } = invitation;
      await joinInvited(transaction, { invitation, userId, email, from: { address } });
      const registered = await register(transaction, user, { isConfirmed: true, isInvited: true });
      const signIn = { user: registered, address, method: 'password', therapistId } as const;
      return firstSession(transaction, this.sessions, signIn);
    });
  }

  private open(user: NewUser, { trace, address }: AccountCall): Promise<Granted> {
    return this.records.run({ therapistId: user.id, ...trace }, async (transaction) => {
      const signIn = { user: await register(transaction, user), address, method: 'password' } as const;
      return firstSession(transaction, this.sessions, signIn);
    });
  }
}
