// Personal access tokens as bearers: verified by the identity service, then cached.

import { createHash } from 'node:crypto';
import { PERSONAL_TOKEN_MARK } from '@practice/contracts';
import type { KnownPersonalToken, PersonalTokenEnvelope } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Requester } from '@practice/messaging';
import { personalTokenExpired, tooManyGuesses, unknownPersonalToken } from './token-problems.js';
import type { TokenThrottle } from './token-throttle.js';
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
    private readonly throttle: TokenThrottle,
  ) {}

  /** @throws {Rejection} when the token is unknown or expired, or the address has presented too many unknown ones */
  async admit({ header, token, address, requestId }: PresentedBearer): Promise<Verified> {
    const { asOf } = this.verified;
    const seconds = await this.throttle.remainingSeconds(address);
    if (seconds > 0) reject(tooManyGuesses(seconds));
    const found = TOKEN.test(token) ? await this.find(token, requestId) : null;
    if (found === null) {
      await this.throttle.count(address);
      return reject(unknownPersonalToken);
    }
    const { therapistId, id, isReadOnly } = found;
    const expiresAt = Math.min(found.expiresAt ?? Infinity, Date.now() + CACHE_MS);
    if (expiresAt <= Date.now()) reject(personalTokenExpired);
    const checked = { identity: { therapistId }, expiresAt, personal: { id, isReadOnly } };
    this.verified.remember(header, checked, asOf);
    return checked;
  }

  private async find(token: string, requestId: string): Promise<KnownPersonalToken | null> {
    const tokenHash = createHash('sha256').update(token).digest('base64url');
    const envelope = { op: 'personal-token', therapistId: '', requestId, tokenHash };
    const reply = await this.requester.request<PersonalTokenEnvelope>('identity', envelope, '');
    if (reply.status !== 200) throw new Error(`the identity service replied ${reply.status}`);
    return JSON.parse(reply.body.toString()) as KnownPersonalToken | null;
  }
}
