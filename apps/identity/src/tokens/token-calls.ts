// Calls for the user's personal access tokens. Only sessions manage them; a personal token cannot.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { Transactions } from '../store/transactions.js';
import { PersonalTokens } from './personal-tokens.js';

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
    private readonly transactions: Transactions,
  ) {}

  async execute({ call }: CreateToken) {
    const { userId, therapistId } = call.identity;
    const request = await this.tokens.permitted(call, call.fields());
    const body = await this.transactions.run({ userId, therapistId }, (tables) =>
      this.tokens.create(tables, call.identity, request),
    );
    return { status: 201, body };
  }
}

export class RevokeToken extends AccountCommand {}

@CommandHandler(RevokeToken)
export class RevokeTokenHandler implements AccountHandler<RevokeToken> {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly transactions: Transactions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} when the token does not exist */
  async execute({ call: { identity, id } }: RevokeToken) {
    if (!isUuid(id)) refuse(problems.noSuchToken);
    const { userId } = identity;
    const isRemoved = await this.transactions.run({ userId }, (tables) =>
      this.tokens.remove(tables, userId, id),
    );
    if (!isRemoved) refuse(problems.noSuchToken);
    await this.gateways.personalTokenRevoked(id.toLowerCase());
    return { status: 204 };
  }
}
