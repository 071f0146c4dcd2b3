import { Injectable } from '@nestjs/common';
import { scopesBeyond } from '@practice/contracts';
import { ConfirmedAddress } from '../users/confirmed-address.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { PersonalTokens } from './personal-tokens.js';
import { tokenRequestOf } from './token-request.js';
import type { Handlers } from '../calls/call.js';
import { refuse, scopesBeyondRole } from '../calls/problems.js';

/** The user's personal access tokens. Only sessions manage them; a personal token cannot. */
@Injectable()
export class TokenCalls {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly recent: RecentSignIn,
    private readonly confirmed: ConfirmedAddress,
  ) {}

  readonly handlers: Handlers<'listTokens' | 'createToken' | 'revokeToken'> = {
    listTokens: async ({ identity: { userId } }) => ({ body: await this.tokens.list(userId) }),
    createToken: async (call) => {
      const fields = call.fields();
      const request = tokenRequestOf(fields, Date.now());
      await this.recent.require(call, fields);
      await this.confirmed.require(call.identity.userId);
      const { practiceRole } = call.identity;
      const beyond = scopesBeyond(practiceRole, request.scopes ?? []);
      if (beyond.length > 0) refuse(scopesBeyondRole(practiceRole, beyond));
      return { status: 201, body: await this.tokens.create(call.identity, request) };
    },
    revokeToken: async ({ identity: { userId }, id }) => {
      await this.tokens.revoke(userId, id);
      return { status: 204 };
    },
  };
}
