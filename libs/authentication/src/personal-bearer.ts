// Personal access tokens as bearers: verified by the identity service, then cached.

import { createHash } from 'node:crypto';
import type { Requester } from '@practice/bus';
import { PERSONAL_TOKEN_MARK } from '@practice/contracts';
import type { KnownPersonalToken, PersonalTokenEnvelope } from '@practice/contracts';
import { reject } from '@practice/core';
import { askIdentity } from './identity-messages.js';
import { personalTokenExpired, unknownPersonalToken } from './token-problems.js';
import type { Verified, VerifiedTokens } from './verified-tokens.js';

const TOKEN = new RegExp(`^${PERSONAL_TOKEN_MARK}[A-Za-z0-9_-]{43}$`);
/** A verified token is cached this long; its last use is recorded with this precision. */
const CACHE_MS = 5 * 60_000;

/** Whether a bearer is meant as a personal access token. */
export const isPersonal = (token: string): boolean => token.startsWith(PERSONAL_TOKEN_MARK);

export interface PresentedBearer {
  /** The whole `Authorization` header. */
  readonly header: string;
  readonly token: string;
  /** The caller's network address. */
  readonly address: string;
  readonly requestId: string;
}

export class PersonalBearer {
  constructor(
    private readonly requester: Requester,
    private readonly verified: VerifiedTokens,
  ) {}

  /** @throws {Rejection} when the token is unknown or expired, or cannot be checked */
  async admit({ header, token, address, requestId }: PresentedBearer): Promise<Verified> {
    const { generation } = this.verified;
    const found = TOKEN.test(token) ? await this.find({ token, address, requestId }) : null;
    if (found === null) return reject(unknownPersonalToken);
    const { therapistId, userId, practiceRole, id: tokenId, name: tokenName, scopes } = found;
    const holder = { therapistId, userId, practiceRole, tokenId, tokenName };
    const identity = scopes === null ? holder : { ...holder, scopes };
    const expiresAt = Math.min(found.expiresAt, Date.now() + CACHE_MS);
    if (expiresAt <= Date.now()) reject(personalTokenExpired);
    const checked = { identity, expiresAt };
    this.verified.remember(header, checked, generation);
    return checked;
  }

  private find({ token, ...from }: Omit<PresentedBearer, 'header'>): Promise<KnownPersonalToken | null> {
    const tokenHash = createHash('sha256').update(token).digest('base64url');
    return askIdentity<KnownPersonalToken | null, PersonalTokenEnvelope>(this.requester, {
      ...{ op: 'personal-token', tokenHash },
      ...from,
    });
  }
}
