// New personal access tokens, whether a call of the auth API or a function asks for one.

import { Injectable } from '@nestjs/common';
import { scopesBeyond } from '@practice/contracts';
import type { Identity } from '@practice/core';
import type { EntityManager } from 'typeorm';
import type { Fields } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { ConfirmedAddress } from '../users/users.js';
import { type NewToken, PersonalTokens } from './personal-tokens.js';
import { type TokenRequest, tokenRequestOf } from './token-request.js';

@Injectable()
export class NewTokens {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly recent: RecentSignIn,
    private readonly confirmed: ConfirmedAddress,
  ) {}

  /** @throws {Rejection} when a field is malformed, the scopes are beyond the role of the caller, or the sign-in is not recent */
  async permitted(
    caller: { readonly identity: Identity; readonly address: string },
    fields: Fields,
  ): Promise<TokenRequest> {
    const { practiceRole } = caller.identity;
    const request = tokenRequestOf(fields, Date.now());
    await this.recent.require(caller, fields);
    const beyond = scopesBeyond(practiceRole, request.scopes ?? []);
    if (beyond.length > 0) refuse(problems.scopesBeyondRole(practiceRole, beyond));
    return request;
  }

  /**
   * @param tables of a transaction that acts for the caller
   * @throws {Rejection} when the address of the caller is not confirmed; see `PersonalTokens.create`
   */
  async make(tables: EntityManager, identity: Identity, request: TokenRequest): Promise<NewToken> {
    await this.confirmed.require(tables, identity.userId);
    return this.tokens.create(tables, identity, request);
  }
}
