import { Injectable } from '@nestjs/common';
import { ExchangeCode } from './exchange-code.js';
import { RefreshSession } from './refresh-session.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { Granted } from '../sessions/session-issue.js';
import type { SignOutScope } from '../sessions/sessions.js';
import { SignIn } from './sign-in.js';
import { SignOut } from './sign-out.js';
import { SignUp } from './sign-up.js';
import type { AccountCall, Handlers } from '../calls/call.js';
import { refreshTokenOf } from '../calls/fields.js';
import { badScope, refuse, unknownGrant } from '../calls/problems.js';

/** Sign-up, sign-in and sign-out. */
@Injectable()
export class SessionCalls {
  constructor(
    private readonly signUp: SignUp,
    private readonly signIn: SignIn,
    private readonly refresh: RefreshSession,
    private readonly exchange: ExchangeCode,
    private readonly signOut: SignOut,
    private readonly sessions: SessionIssue,
  ) {}

  readonly handlers: Handlers<'signUp' | 'token' | 'signOut'> = {
    signUp: async (call) => {
      const signedUp = await this.signUp.execute(call);
      if ('unconfirmed' in signedUp) return { body: signedUp.unconfirmed };
      return { body: await this.sessions.issue(signedUp, call.isForCookies) };
    },
    token: async (call) => ({
      body: await this.sessions.issue(await this.grant(call), call.isForCookies),
    }),
    signOut: async ({ identity, parameters }) => {
      const scope = parameters.get('scope') || 'global';
      if (!isScope(scope)) return refuse(badScope(scope));
      await this.signOut.execute(identity, scope);
      return { status: 204 };
    },
  };

  private async grant(call: AccountCall): Promise<Granted> {
    switch (call.parameters.get('grant_type')) {
      case 'password':
        return this.signIn.execute(call);
      case 'refresh_token':
        return this.refresh.execute(refreshTokenOf(call.fields()));
      case 'pkce':
        return this.exchange.execute(call);
      default:
        return refuse(unknownGrant);
    }
  }
}

const isScope = (scope: string): scope is SignOutScope => ['global', 'local', 'others'].includes(scope);
