// The personal access tokens of the caller, as functions: Supabase's clients can call functions, but not the paths of the auth API for tokens.

import { createToken, myTokens, revokeToken } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { type ArgumentsOf, instant } from '@practice/resource';
import { type FunctionCall, type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { tablesOn } from '../store/database.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { PersonalTokens, type ShownToken } from './personal-tokens.js';

const rowOf = ({ expires_at: end, created_at: start, last_used_at: use, scopes, ...token }: ShownToken) => ({
  ...token,
  scopes: scopes === null ? null : [...scopes],
  expires_at: instant(end.getTime()),
  created_at: instant(start.getTime()),
  last_used_at: use && instant(use.getTime()),
});

@Handles(myTokens)
export class MyTokens implements FunctionHandler<typeof myTokens> {
  constructor(private readonly tokens: PersonalTokens) {}

  async call(_: object, { caller: { userId } }: FunctionCall) {
    return (await this.tokens.list(userId)).map(rowOf);
  }
}

@Handles(createToken)
export class CreateTokenByFunction implements FunctionHandler<typeof createToken> {
  constructor(private readonly tokens: PersonalTokens) {}

  /** @throws {Rejection} for the same reasons as `POST /auth/v1/tokens` */
  async call(given: ArgumentsOf<typeof createToken>, { caller, transaction }: WritingCall) {
    const { userId, address = '' } = caller;
    const request = await this.tokens.permitted({ identity: caller, address }, given);
    const tables = tablesOn(transaction.client);
    await actForCaller(tables, userId);
    const { token, ...made } = await this.tokens.create(tables, caller, request);
    await noteCall(transaction, 'token_created', { caller, tokenId: made.id });
    return { ...rowOf(made), token };
  }
}

@Handles(revokeToken)
export class RevokeTokenByFunction implements FunctionHandler<typeof revokeToken> {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} PM404 when the caller does not have the token */
  async call({ id }: ArgumentsOf<typeof revokeToken>, { caller, transaction, afterCommit }: WritingCall) {
    const { userId } = caller;
    const tables = tablesOn(transaction.client);
    await actForCaller(tables, userId);
    if (!(await this.tokens.remove(tables, userId, id))) reject(noSuchToken);
    await noteCall(transaction, 'token_revoked', { caller, tokenId: id });
    afterCommit(() => this.gateways.personalTokenRevoked(id));
  }
}

const noSuchToken = problemFor('PM404', { message: 'The caller has no personal access token with this id' });
