// Personal access tokens and grants of OAuth clients: verified by the identity service, then cached.

import { createHash } from 'node:crypto';
import type { Requester } from '@practice/bus';
import { grantKey, PERSONAL_TOKEN_MARK } from '@practice/contracts';
import type { KnownPersonalToken, PersonalTokenEnvelope } from '@practice/contracts';
import { type Identity, reject } from '@practice/core';
import { askIdentity } from './identity-messages.js';
import { personalTokenExpired, sessionEnded, unknownPersonalToken } from './token-problems.js';
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

/** The access token of an OAuth client: what its claims say. */
export interface PresentedGrant extends Omit<PresentedBearer, 'token'> {
  readonly grantId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly isForAssistant: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export class PersonalBearer {
  constructor(
    private readonly requester: Requester,
    private readonly verified: VerifiedTokens,
  ) {}

  /**
   * Admits the access token of an OAuth client, whose signature is valid.
   * @throws {Rejection} when its grant has ended, or cannot be checked
   */
  async admitClient({
    header,
    grantId,
    clientId,
    scopes,
    isForAssistant,
    expiresAt,
    ...from
  }: PresentedGrant): Promise<Verified> {
    const { generation } = this.verified;
    const found = await this.find({ token: grantKey(grantId), ...from });
    if (found === null || found.oauthClientId !== clientId) return reject(sessionEnded);
    const holder = { ...holderOf(found), oauthClientId: clientId };
    // A client may have asked for less than was granted.
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

  /** @throws {Rejection} when the token is unknown or expired, or cannot be checked */
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
  const { therapistId, userId, practiceRole, id: tokenId, name: tokenName, ask = 'always' } = found;
  return { therapistId, userId, practiceRole, tokenId, tokenName, ask };
};
