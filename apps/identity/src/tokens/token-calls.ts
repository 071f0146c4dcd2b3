// Calls for the user's personal access tokens. Only sessions manage them; a personal token cannot.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { scopesBeyond } from '@practice/contracts';
import { AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { Transactions } from '../store/transactions.js';
import { ConfirmedAddress } from '../users/users.js';
import { PersonalTokens } from './personal-tokens.js';
import { tokenRequestOf } from './token-request.js';

export class ListTokens extends AccountQuery {}

@QueryHandler(ListTokens)
export class ListTokensHandler implements AccountHandler<ListTokens> {
  constructor(private readonly tokens: PersonalTokens) {}

  async execute({ call: { identity } }: ListTokens) {
    return { body: await this.tokens.list(identity.userId) };
  }
}

export class CreateToken extends AccountCommand {}

@CommandHandler(CreateToken)
export class CreateTokenHandler implements AccountHandler<CreateToken> {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly recent: RecentSignIn,
    private readonly confirmed: ConfirmedAddress,
    private readonly transactions: Transactions,
  ) {}

  async execute({ call }: CreateToken) {
    const fields = call.fields();
    const { userId, practiceRole } = call.identity;
    const request = tokenRequestOf(fields, Date.now());
    await this.recent.require(call, fields);
    await this.transactions.run({ userId }, (tables) => this.confirmed.require(tables, userId));
    const beyond = scopesBeyond(practiceRole, request.scopes ?? []);
    if (beyond.length > 0) refuse(problems.scopesBeyondRole(practiceRole, beyond));
    return { status: 201, body: await this.tokens.create(call.identity, request) };
  }
}

export class RevokeToken extends AccountCommand {}

@CommandHandler(RevokeToken)
export class RevokeTokenHandler implements AccountHandler<RevokeToken> {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} when the token does not exist */
  async execute({ call: { identity, id } }: RevokeToken) {
    if (!isUuid(id) || !(await this.tokens.remove(identity.userId, id))) refuse(problems.noSuchToken);
    await this.gateways.personalTokenRevoked(id.toLowerCase());
    return { status: 204 };
  }
}
