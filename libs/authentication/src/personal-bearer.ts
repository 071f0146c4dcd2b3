// Personal access tokens and grants of OAuth clients. The identity service verifies them, and the results are cached.

import { createHash } from 'node:crypto';
import type { Requester } from '@practice/bus';
import { grantKey, PERSONAL_TOKEN_MARK } from '@practice/contracts';
import type { KnownPersonalToken, PersonalTokenEnvelope } from '@practice/contracts';
import { type Identity, reject } from '@practice/core';
import { askIdentity } from './identity-messages.js';
import { personalTokenExpired, sessionEnded, unknownPersonalToken } from './token-problems.js';
import type { Verified, VerifiedTokens } from './verified-tokens.js';

const TOKEN = new RegExp(`^${PERSONAL_TOKEN_MARK}[A-Za-z0-9_-]{43}$`);
/** How long a verified token is cached. The time of its last use is recorded with this precision. */
const CACHE_MS = 5 * 60_000;

/** Whether a token has the prefix of personal access tokens. */
export const isPersonal = (token: string): boolean => token.startsWith(PERSONAL_TOKEN_MARK);

export interface PresentedBearer {
  /** The whole `Authorization` header. */
  readonly header: string;
  readonly token: string;
  /** The caller's network address. */
  readonly address: string;
  readonly requestId: string;
}

/** The claims of an OAuth client's access token, and the request that presents it. */
export interface PresentedGrant extends Omit<PresentedBearer, 'token'> {
  readonly grantId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly isForAssistant: boolean;
  /** When the access token expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export class PersonalBearer {
  constructor(
    private readonly requester: Requester,
    private readonly verified: VerifiedTokens,
  ) {}

  /**
   * Admits the access token of an OAuth client, whose signature is valid.
   * @throws {Rejection} when its grant has ended or cannot be checked
   */
  async admitClient(presented: PresentedGrant): Promise<Verified> {
    const { header, grantId, clientId, scopes, isForAssistant, expiresAt, ...from } = presented;
    const { generation } = this.verified;
    const found = await this.find({ token: grantKey(grantId), ...from });
    if (found === null || found.oauthClientId !== clientId) return reject(sessionEnded);
    const holder = { ...holderOf(found), oauthClientId: clientId };
    // A token may have fewer scopes than the grant.
    const identity = { ...holder, scopes: scopes.filter((scope) => found.scopes?.includes(scope) === true) };
    const checked = {
      identity,
      expiresAt: Math.min(expiresAt, found.expiresAt, Date.now() + CACHE_MS),
      ...(isForAssistant && { isForAssistant }),
    };
    if (checked.expiresAt <= Date.now()) reject(sessionEnded);
    this.verified.remember(header, checked, generation);
    return checked;
  }

  /** Admits a personal access token. @throws {Rejection} when the token is unknown or expired, or cannot be checked */
  async admit({ header, token, address, requestId }: PresentedBearer): Promise<Verified> {
    const { generation } = this.verified;
    const found = TOKEN.test(token) ? await this.find({ token, address, requestId }) : null;
    if (found === null) return reject(unknownPersonalToken);
    const { scopes } = found;
    const identity = scopes === null ? holderOf(found) : { ...holderOf(found), scopes };
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

const holderOf = (found: KnownPersonalToken): Identity => {
  const { therapistId, userId, practiceRole, id: tokenId, name: tokenName, ask } = found;
  return { therapistId, userId, practiceRole, tokenId, tokenName, ask };
};
