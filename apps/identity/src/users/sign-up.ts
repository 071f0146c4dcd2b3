import { newId } from '@practice/core';
import { Inject, Injectable } from '@nestjs/common';
import { RecordTransactions } from '@practice/service';
import type { AccountCall } from '../accounts/call.js';
import { credentialsOf, metadataOf } from '../accounts/fields.js';
import { noAnonymous, refuse, userExists } from '../accounts/problems.js';
import { RequestSignUp } from '../confirmation/request-sign-up.js';
import { checkNewPassword, Passwords } from '../credentials/passwords.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import { firstSession, register } from './register.js';
import { refuseStored } from './stored-problems.js';
import type { NewUser } from './register.js';

/** Registers a user, opens its practice and signs it in; where addresses are confirmed, once that is done. */
@Injectable()
export class SignUp {
  constructor(
    private readonly records: RecordTransactions,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly request: RequestSignUp,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  /**
   * Hashes before anything is looked up, so the response time does not reveal whether the address is in use.
   * @returns a session, or the user without one if the address has to be confirmed first
   */
  async execute(call: AccountCall): Promise<Granted | { readonly unconfirmed: object }> {
    const given = call.fields();
    // Supabase's clients sign up without any of these to get an anonymous user.
    if (!given['email'] && !given['phone'] && !given['password']) refuse(noAnonymous);
    const { email, password } = credentialsOf(given);
    const metadata = metadataOf(given);
    const chosen = checkNewPassword(password, email);
    const isConfirmedFirst = this.config.confirmsAddresses;
    const asked = isConfirmedFirst ? await this.request.admit(call, email) : undefined;
    const passwordHash = await this.passwords.hash(chosen);
    const user = { id: newId(), email, metadata, passwordHash };
    if (asked !== undefined) return { unconfirmed: this.request.execute({ ...user, ...asked }) };
    return this.open({ ...user, isConfirmed: false }, call);
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
