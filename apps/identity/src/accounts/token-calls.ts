import { Injectable } from '@nestjs/common';
import { PersonalTokens } from '../personal-tokens/personal-tokens.js';
import { tokenRequestOf } from '../personal-tokens/token-request.js';
import type { Handlers } from './call.js';

/** The user's personal access tokens. Only sessions manage them; a personal token cannot. */
@Injectable()
export class TokenCalls {
  constructor(private readonly tokens: PersonalTokens) {}

  readonly handlers: Handlers<'listTokens' | 'createToken' | 'revokeToken'> = {
    listTokens: async ({ identity: { therapistId } }) => ({ body: await this.tokens.list(therapistId) }),
    createToken: async ({ identity: { therapistId }, fields }) => ({
      status: 201,
      body: await this.tokens.create(therapistId, tokenRequestOf(fields(), Date.now())),
    }),
    revokeToken: async ({ identity: { therapistId }, id }) => {
      await this.tokens.revoke(therapistId, id);
      return { status: 204 };
    },
  };
}
