// Identifies callers: checks the API key, and verifies an access token or a personal access token. A process that serves callers has
// one `Authentication`. Messages of the identity service keep it up to date.

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
  /** The requester to the identity service, for its state and for personal tokens. */
  readonly requester: Requester;
  readonly counters: Counters;
  readonly logger: Logger;
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

  /** Begins to listen to the identity service. @returns a function that stops listening */
  start(): () => void {
    return this.state.start();
  }

  /**
   * Verifies the token of a request to the assistant's endpoint: a personal access token or an OAuth client's token for this endpoint.
   * @throws {Rejection} as `verify`, and 401 for any other token
   */
  verifyAssistant(request: BearerRequest, byStrategy: () => Promise<Verified>): Verified | Promise<Verified> {
    return checked(this.verifyAny(request, byStrategy), (verified) => {
      const { tokenId, oauthClientId } = verified.identity;
      const isPersonalToken = tokenId !== undefined && oauthClientId === undefined;
      return verified.isForAssistant === true || isPersonalToken;
    });
  }

  /** Whether tokens can be checked: the state of the identity service was loaded after the last connection to the bus. */
  get isFresh(): boolean {
    return this.state.isFresh;
  }

  /**
   * Requires the API key in the headers or in the query of the URL. A request with an OAuth client's token may come without the key.
   * @throws {Rejection} PM401 when the key is missing, wrong or sent several times
   */
  requireApiKey(headers: IncomingHttpHeaders, url: string): void {
    if (headers['apikey'] !== undefined || !isClientToken(headers.authorization))
      this.apiKey.require(headers, url);
  }

  /** The `Authorization` header of a request, or the one made from a browser's cookie; empty without both. */
  headerOf(request: Pick<BearerRequest, 'headers'>): string {
    return authorizationOf(request, this.anonKey) ?? '';
  }

  /**
   * Verifies the token of a request. A token in the cache is accepted synchronously.
   * @param byStrategy verifies an access token that is not in the cache; by default passport does, for use outside Nest's guards
   * @throws {Rejection} 401 when there is no valid token, or only one for the assistant's endpoint; PM004 when the address has
   * presented too many unknown tokens; PM503 when the token cannot be checked
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
    return this.verified.get(header, Date.now()) ?? this.check(request, header, byStrategy);
  }

  /**
   * Calls back once when a verified token may no longer be valid: its session has ended, the member's role has changed, its key was
   * withdrawn, or a message about one of these may have been lost. It does not call back when the token expires.
   * @returns a function that stops watching
   */
  watch(verified: Verified, onEnd: () => void): () => void {
    return this.verified.watch(verified, onEnd);
  }

  /** @param header the whole `Authorization` header */
  private async check(
    request: BearerRequest,
    header: string,
    byStrategy: () => Promise<Verified>,
  ): Promise<Verified> {
    const token = bearerOf(header === '' ? undefined : header, this.anonKey);
    const { ip: address, id: requestId } = request;
    return this.throttle.run(address, () =>
      isPersonal(token) ? this.personal.admit({ header, token, address, requestId }) : byStrategy(),
    );
  }
}

/** Checks that a verified token is for this part of the API. @throws {Rejection} 401 when it is for another part */
function checked(
  verified: Verified | Promise<Verified>,
  isMeant: (verified: Verified) => boolean,
): Verified | Promise<Verified> {
  if (verified instanceof Promise) return verified.then((one) => checked(one, isMeant));
  return isMeant(verified) ? verified : reject(otherAudience);
}
