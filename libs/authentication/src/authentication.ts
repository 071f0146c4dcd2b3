// Who is asking: the API key, and the user behind an access token or a personal access token. A process that lets callers in has
// one `Authentication`, which is kept current by messages of the identity service.

import type { IncomingHttpHeaders } from 'node:http';
import type { Connection, Requester } from '@practice/bus';
import { reject } from '@practice/core';
import type { Counters } from '@practice/limits';
import type { Logger } from '@practice/process';
import passport from 'passport';
import { ApiKey, requireKeyHeader } from './api-key.js';
import { isClientToken } from './client-bearer.js';
import { authorizationOf, bearerOf, ForeignKeys, VerificationKeys } from './bearer.js';
import { IdentityState } from './identity-state.js';
import { ACCESS_TOKEN, JwtStrategy, throughPassport } from './jwt.strategy.js';
import { isPersonal, PersonalBearer } from './personal-bearer.js';
import type { AuthenticationSettings, BearerRequest } from './request.js';
import { otherAudience, TokenThrottle } from './token-problems.js';
import { type Verified, VerifiedTokens } from './verified-tokens.js';

export interface AuthenticationParts {
  readonly settings: AuthenticationSettings;
  readonly connection: Connection;
  /** Asks the identity service for its state and for personal tokens. */
  readonly requester: Requester;
  readonly counters: Counters;
  readonly logger: Logger;
}

interface Unverified {
  readonly request: BearerRequest;
  /** The whole `Authorization` header. */
  readonly header: string;
  readonly byStrategy: () => Promise<Verified>;
}

export class Authentication {
  private readonly anonKey: string;
  private readonly apiKey: ApiKey;
  private readonly verified = new VerifiedTokens();
  private readonly state: IdentityState;
  private readonly personal: PersonalBearer;
  private readonly throttle: TokenThrottle;

  constructor(parts: AuthenticationParts) {
    const { settings, requester, counters } = parts;
    const { verified } = this;
    this.anonKey = settings.anonKey;
    this.apiKey = new ApiKey(settings.anonKey);
    const foreign = settings.jwksUrl === undefined ? undefined : new ForeignKeys(settings.jwksUrl);
    const state = new IdentityState({ ...parts, verified });
    this.state = state;
    const keys = new VerificationKeys(state, settings.jwtSecret, foreign);
    this.personal = new PersonalBearer(requester, verified);
    passport.use(ACCESS_TOKEN, new JwtStrategy({ settings, keys, state, verified, grants: this.personal }));
    this.throttle = new TokenThrottle(counters, settings.signInsPerMinute);
  }

  /** Begins to listen to the identity service. @returns the way to stop */
  start(): () => void {
    return this.state.start();
  }

  /**
   * Verifies the token of a request to the assistant's endpoint: one of an OAuth client for it, or a personal access token.
   * @throws {Rejection} as `verify`, and 401 for any other token
   */
  verifyAssistant(request: BearerRequest, byStrategy: () => Promise<Verified>): Verified | Promise<Verified> {
    return checked(this.verifyAny(request, byStrategy), (verified) => {
      const { tokenId, oauthClientId } = verified.identity;
      const isPersonalToken = tokenId !== undefined && oauthClientId === undefined;
      return verified.isForAssistant === true || isPersonalToken;
    });
  }

  /** Whether tokens can be checked: the state of the identity service was loaded since the bus was connected. */
  get isFresh(): boolean {
    return this.state.isFresh;
  }

  /**
   * The tokens of OAuth clients come without the key.
   * @throws {Rejection} PM401 for any other request without the API key in its headers or in the query of its URL
   */
  requireApiKey(headers: IncomingHttpHeaders, url: string): void {
    if (headers['apikey'] !== undefined || !isClientToken(headers.authorization))
      this.apiKey.require(headers, url);
  }

  /** The `Authorization` header of a request, or what a browser's cookie stands for; empty without both. */
  headerOf(request: Pick<BearerRequest, 'headers'>): string {
    return authorizationOf(request, this.anonKey) ?? '';
  }

  /**
   * Verifies the token of a request. A token in the cache is accepted synchronously.
   * @param byStrategy verifies an access token that is not in the cache: outside of Nest's guards, passport itself does
   * @throws {Rejection} 401 when there is no valid token, or one for the assistant's endpoint; PM004 when the address has presented too many unknown ones; PM503 when
   * the token cannot be checked
   */
  verify(
    request: BearerRequest,
    byStrategy: () => Promise<Verified> = () => throughPassport(request),
  ): Verified | Promise<Verified> {
    return checked(this.verifyAny(request, byStrategy), ({ isForAssistant }) => isForAssistant !== true);
  }

  private verifyAny(
    request: BearerRequest,
    byStrategy: () => Promise<Verified>,
  ): Verified | Promise<Verified> {
    const header = this.headerOf(request);
    if (header !== (request.headers.authorization ?? '')) requireKeyHeader(request);
    return this.verified.get(header, Date.now()) ?? this.check({ request, header, byStrategy });
  }

  /**
   * Calls back once when a verified token may no longer be good: its session has ended, the member's role has changed, its key was
   * withdrawn, or messages about that may have been lost. It does not call back when the token expires.
   * @returns the way to stop watching
   */
  watch(verified: Verified, onEnd: () => void): () => void {
    return this.verified.watch(verified, onEnd);
  }

  private async check({ request, header, byStrategy }: Unverified): Promise<Verified> {
    const token = bearerOf(header === '' ? undefined : header, this.anonKey);
    const { ip: address, id: requestId } = request;
    return this.throttle.run(address, () =>
      isPersonal(token) ? this.personal.admit({ header, token, address, requestId }) : byStrategy(),
    );
  }
}

/** @throws {Rejection} 401 when the token is for another part of the API */
function checked(
  verified: Verified | Promise<Verified>,
  isMeant: (verified: Verified) => boolean,
): Verified | Promise<Verified> {
  if (verified instanceof Promise)
    return verified.then((one) => (isMeant(one) ? one : reject(otherAudience)));
  return isMeant(verified) ? verified : reject(otherAudience);
}
