import { Injectable } from '@nestjs/common';
import type { KnownPersonalToken } from '@practice/contracts';
import { DatabaseError } from 'pg';
import { noSuchToken, refuse, tooManyTokens, userGone } from '../accounts/problems.js';
import { GatewayAnnouncements } from '../gateway/announcements.js';
import { actForPractice, Transactions } from '../transactions.js';
import { insertToken, listTokens, noteUse, removeToken, tokenByHash } from './stored-tokens.js';
import type { CreatedToken, ListedToken, TokenRequest } from './stored-tokens.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The precision of a token's last use: gateways keep a verified token that long before they ask again. */
const USE_PRECISION_MS = 5 * 60_000;

/** Personal access tokens: made by a user for its scripts. */
@Injectable()
export class PersonalTokens {
  constructor(
    private readonly transactions: Transactions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  list(therapistId: string): Promise<ListedToken[]> {
    return this.transactions.run({ therapistId }, (client) => listTokens(client, therapistId));
  }

  /** @throws {Rejection} when the practice has 100 tokens, or the user no account here */
  async create(therapistId: string, request: TokenRequest): Promise<CreatedToken> {
    const created = await this.transactions
      .run({ therapistId }, (client) => insertToken(client, therapistId, request))
      .catch(refuseForeignUser);
    return created ?? refuse(tooManyTokens);
  }

  /** @throws {Rejection} when the token does not exist */
  async revoke(therapistId: string, id: string): Promise<void> {
    const isRemoved =
      UUID.test(id) &&
      (await this.transactions.run({ therapistId }, (client) => removeToken(client, therapistId, id)));
    if (!isRemoved) refuse(noSuchToken);
    this.gateways.personalTokenRevoked(id.toLowerCase());
  }

  /** The token with this hash; null when it does not exist. Records its use. The gateway checks its expiry. */
  present(hash: string): Promise<KnownPersonalToken | null> {
    return this.transactions.run({ presented: hash }, async (client) => {
      const token = await tokenByHash(client, hash);
      if (token === undefined) return null;
      const { id, therapistId, isReadOnly, expiresAt, lastUsedAt } = token;
      if (Date.now() - (lastUsedAt?.getTime() ?? 0) >= USE_PRECISION_MS) {
        await actForPractice(client, therapistId);
        await noteUse(client, token);
      }
      return { id, therapistId, isReadOnly, expiresAt: expiresAt?.getTime() ?? null };
    });
  }
}

/** A user of another issuer has no account here that a token could belong to. */
function refuseForeignUser(error: unknown): never {
  if (error instanceof DatabaseError && error.code === '23503') refuse(userGone);
  throw error;
}
