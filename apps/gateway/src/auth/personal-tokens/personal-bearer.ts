// A personal access token as the bearer of a request.

import { reject } from '@practice/core';
import { actForPractice } from '../../database.js';
import type { Database } from '../../database.js';
import type { TokenThrottle } from '../../authentication/token-throttle.js';
import { tokenHash } from '../sessions.js';
import {
  personalTokenExpired,
  tooManyGuesses,
  unknownPersonalToken,
} from '../../authentication/token-problems.js';
import type { Verified, VerifiedTokens } from '../../authentication/verified-tokens.js';
import { isPersonalToken, noteUse, tokenByHash } from './stored-tokens.js';
import type { PresentedToken } from './stored-tokens.js';

/** So long a token is believed without another look, and so exact is what is told of its last use. */
const LOOK_AGAIN_MS = 5 * 60_000;

export class PersonalBearer {
  constructor(
    private readonly database: Database,
    private readonly verified: VerifiedTokens,
    private readonly guesses: TokenThrottle,
  ) {}

  /**
   * @param header the whole `Authorization` header
   * @param token the token in it
   * @param address the caller's network address
   * @throws {Rejection} when it is nobody's, or has expired
   */
  async admit(header: string, token: string, address: string): Promise<Verified> {
    const { asOf } = this.verified;
    const seconds = await this.guesses.remainingSeconds(address);
    if (seconds > 0) reject(tooManyGuesses(seconds));
    const found = isPersonalToken(token) ? await this.find(tokenHash(token)) : undefined;
    if (found === undefined) {
      await this.guesses.count(address);
      return reject(unknownPersonalToken);
    }
    const { therapistId, id, isReadOnly } = found;
    const expiresAt = Math.min(found.expiresAt?.getTime() ?? Infinity, Date.now() + LOOK_AGAIN_MS);
    if (expiresAt <= Date.now()) reject(personalTokenExpired);
    const checked = { identity: { therapistId }, expiresAt, personal: { id, isReadOnly } };
    this.verified.remember(header, checked, asOf);
    return checked;
  }

  private find(hash: string): Promise<PresentedToken | undefined> {
    return this.database.transaction({ presented: hash }, async (client) => {
      const token = await tokenByHash(client, hash);
      if (token === undefined) return undefined;
      const isNoted = Date.now() - (token.lastUsedAt?.getTime() ?? 0) < LOOK_AGAIN_MS;
      if (isNoted) return token;
      await actForPractice(client, token.therapistId);
      await noteUse(client, token);
      return token;
    });
  }
}
