import { newId, reject } from '@practice/core';
import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { RecordTransactions } from '@practice/write';
import { AccountCommand } from '../calls/call.js';
import type { AccountCall, AccountHandler } from '../calls/call.js';
import { credentialsOf, isText, metadataOf } from '../calls/fields.js';
import { noAnonymous, refuse, userExists } from '../calls/problems.js';
import { RequestSignUp } from './request-sign-up.js';
import { checkNewPassword, Passwords } from '../users/passwords.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { Granted } from '../sessions/session-issue.js';
import { joinInvited, notValid } from '../practices/accept-invitation.js';
import { invitationByHash, practicesInviting } from '../practices/invitations.js';
import { Sessions } from '../sessions/sessions.js';
import { tokenHash } from '../store/secrets.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { firstSession, register } from './register.js';
import { refuseStored } from '../users/stored-problems.js';
import type { NewUser } from './register.js';
import { tablesOn } from '../store/database.js';

/** Registers a user, opens its practice or joins the one of an invitation, and signs it in; where addresses are confirmed, once that is done. */
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
    if (!given['email'] && !given['phone'] && !given['password']) refuse(noAnonymous);
    const { email, password } = credentialsOf(given);
    const { invitation, ...metadata } = metadataOf(given) as { readonly invitation?: unknown };
    const chosen = checkNewPassword(password, email);
    const isConfirmedFirst = this.config.confirmsAddresses && !isText(invitation);
    const mail = isConfirmedFirst ? await this.request.admit(call, email) : undefined;
    const passwordHash = await this.passwords.hash(chosen);
    const user = { id: newId(), email, metadata, passwordHash };
    if (mail !== undefined) return { body: this.request.execute({ ...user, ...mail }) };
    const granted = isText(invitation)
      ? await this.join(user, invitation, call)
      : await this.open({ ...user, isConfirmed: false }, call);
    return this.issue.reply(granted, call);
  }

  /**
   * Makes a user who is a member of the practice of an invitation, and opens no practice. The token was mailed to the address, so
   * the address is confirmed.
   */
  private async join(
    user: Omit<NewUser, 'isConfirmed'>,
    token: string,
    { trace, address }: AccountCall,
  ): Promise<Granted> {
    const { id: userId, email } = user;
    const hash = tokenHash(token);
    const otherPractices = await practicesInviting(this.transactions, userId, hash);
    return this.records
      .run({ therapistId: userId, otherPractices, ...trace }, async (transaction) => {
        const tables = tablesOn(transaction.client);
        await actForCaller(tables, userId, hash);
        // First, so that a token shows nothing about other addresses than its own.
        const invitation = (await invitationByHash(tables, hash)) ?? reject(notValid);
        const { therapistId } = invitation;
        await joinInvited(transaction, { invitation, userId, email, from: { address } });
        const registered = await register(transaction, { ...user, isConfirmed: true }, { isInvited: true });
        const signIn = { user: registered, address, method: 'password', therapistId } as const;
        return firstSession(transaction, this.sessions, signIn);
      })
      .catch(refuseStored(userExists));
  }

  private open(user: NewUser, { trace, address }: AccountCall): Promise<Granted> {
    return this.records
      .run({ therapistId: user.id, ...trace }, async (transaction) => {
        const signIn = { user: await register(transaction, user), address, method: 'password' } as const;
        return firstSession(transaction, this.sessions, signIn);
      })
      .catch(refuseStored(userExists));
  }
}
