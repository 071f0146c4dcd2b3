import { Injectable } from '@nestjs/common';
import type { KnownPersonalToken } from '@practice/contracts';
import { isUuidOfAnyCase } from '@practice/core';
import type { Identity } from '@practice/core';
import { DatabaseError } from 'pg';
import type { ClientBase } from 'pg';
import {
  noSuchToken,
  practiceClosed,
  refuse,
  sessionGone,
  tooManyTokens,
  userGone,
} from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { standingIn } from '../users/access.js';
import { isEnrolled } from '../factors/factors.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { openSession } from '../sessions/proven.js';
import { insertToken, listTokens, noteUse, removeToken, tokenByHash } from './stored-tokens.js';
import type { CreatedToken, ListedToken, PresentedToken, TokenRequest } from './stored-tokens.js';

/** The precision of a token's last use: gateways keep a verified token that long before they ask again. */
const USE_PRECISION_MS = 5 * 60_000;

/** Personal access tokens: made by a user for its scripts. */
@Injectable()
export class PersonalTokens {
  constructor(
    private readonly transactions: Transactions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  list(userId: string): Promise<ListedToken[]> {
    return this.transactions.run({ userId }, (client) => listTokens(client, userId));
  }

  /** @throws {Rejection} when the session has ended, the practice is closed, the user has 100 tokens, or the user has no account here */
  async create({ userId, therapistId, sessionId }: Identity, request: TokenRequest): Promise<CreatedToken> {
    if (sessionId === undefined) return refuse(sessionGone);
    const created = await this.transactions
      .run({ userId, therapistId }, async (client) => {
        // Sessions end before tokens are removed, so a new token does not outlive a new password or a recovery.
        if ((await openSession(client, { userId, sessionId }, { isKept: true })) === undefined)
          refuse(sessionGone);
        if (await isClosed(client, therapistId)) refuse(practiceClosed);
        return insertToken(client, { userId, therapistId }, request);
      })
      .catch(refuseForeignUser);
    return created ?? refuse(tooManyTokens);
  }

  /** @throws {Rejection} when the token does not exist */
  async revoke(userId: string, id: string): Promise<void> {
    const isRemoved =
      isUuidOfAnyCase(id) &&
      (await this.transactions.run({ userId }, (client) => removeToken(client, userId, id)));
    if (!isRemoved) refuse(noSuchToken);
    await this.gateways.personalTokenRevoked(id.toLowerCase());
  }

  /**
   * The token with this hash; null when it does not exist. Records its use. The gateway checks its expiry.
   * @param address the network address that it is used from
   */
  present(hash: string, address: string): Promise<KnownPersonalToken | null> {
    return this.transactions.run({ presented: hash }, async (client) => {
      const token = await tokenByHash(client, hash);
      if (token === undefined) return null;
      const { id, name, userId, therapistId, scopes, expiresAt } = token;
      await actForUser(client, userId);
      if (isNews(token, address)) await noteUse(client, token, address);
      const standing = await standingIn(client, token);
      if (standing === undefined) return null;
      // A member without a second factor has no access, whatever the token is.
      if (standing.requiresMfa && !(await isEnrolled(client, userId))) return null;
      const { role: practiceRole } = standing;
      const holder = { therapistId, userId, practiceRole };
      return { id, name, ...holder, scopes, expiresAt: expiresAt.getTime() };
    });
  }
}

/** The address of the last use is always right; its time has a precision. */
const isNews = ({ lastUsedAt, lastUsedAddress }: PresentedToken, address: string): boolean =>
  lastUsedAddress !== address || Date.now() - (lastUsedAt?.getTime() ?? 0) >= USE_PRECISION_MS;

async function isClosed(client: ClientBase, therapistId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM identity.practice_head WHERE therapist_id = $1 AND erase_at IS NOT NULL',
    [therapistId],
  );
  return rowCount === 1;
}

/** A user of another issuer has no account here that a token could belong to. */
function refuseForeignUser(error: unknown): never {
  if (error instanceof DatabaseError && error.code === '23503') refuse(userGone);
  throw error;
}
