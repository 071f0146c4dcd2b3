import { ASSISTANT_PATH } from '@practice/contracts';
import { type Identity, isPracticeRole, isUuid, reject, Rejection } from '@practice/core';
import passport from 'passport';
import { Strategy, type VerifiedCallback } from 'passport-jwt';
import { ALGORITHMS, authorizationOf, bearerOf, type VerificationKeys } from './bearer.js';
import type { IdentityState } from './identity-state.js';
import type { AuthenticationSettings, BearerRequest } from './request.js';
import type { PersonalBearer } from './personal-bearer.js';
import {
  claimNotNumber,
  issuedInFuture,
  noPractice,
  otherAudience,
  otherIssuer,
  problemOf,
  sessionEnded,
  tooOld,
} from './token-problems.js';
import type { Verified, VerifiedTokens } from './verified-tokens.js';

/** The unchecked claims of a token. */
type Claims = Readonly<Record<string, unknown>>;

/** The `aud` of the access tokens of sessions. */
const OF_SESSIONS = 'authenticated';
/** A token whose signature is valid. */
interface SignedToken {
  readonly isOwn: boolean;
  /** The whole `Authorization` header. */
  readonly header: string;
  /** When the token expires, in seconds since the epoch. */
  readonly expiresAt: number;
}

/** The tolerated difference between this clock and another issuer's clock. */
const CLOCK_SKEW_SECONDS = 30;
const MAX_NAME_LENGTH = 320;
/** The maximum age of another issuer's token. It is short, because a leaked one cannot be revoked here. */
const FOREIGN_MAX_AGE_SECONDS = 24 * 3600;

export interface AccessTokenParts {
  readonly settings: AuthenticationSettings;
  readonly keys: VerificationKeys;
  readonly state: IdentityState;
  readonly verified: VerifiedTokens;
  readonly grants: PersonalBearer;
}

/** Verifies access tokens: passport-jwt checks signature and times; `validate` then checks the user and the session. */
export class JwtStrategy extends Strategy {
  constructor(private readonly parts: AccessTokenParts) {
    const { keys, settings } = parts;
    super(
      {
        jwtFromRequest: (request: unknown) =>
          bearerOf(authorizationOf(request as BearerRequest, settings.anonKey), settings.anonKey),
        secretOrKeyProvider: (_request, token, done) => {
          keys.keyFor(token as string).then(
            (key) => done(null, key as never),
            (error: unknown) => done(error),
          );
        },
        algorithms: Object.values(ALGORITHMS),
        audience: [OF_SESSIONS, settings.baseUrl, assistantOf(settings)],
        jsonWebTokenOptions: { clockTolerance: CLOCK_SKEW_SECONDS },
        passReqToCallback: true,
      },
      (request: unknown, claims: Claims, done: VerifiedCallback) => {
        this.validate(request as BearerRequest, claims).then(
          (verified) => done(null, verified),
          (error: unknown) => done(error, false),
        );
      },
    );
  }

  /** Validates the claims of a token whose signature is valid. */
  private async validate(request: BearerRequest, claims: Claims): Promise<Verified> {
    const { keys, settings } = this.parts;
    const header = authorizationOf(request, settings.anonKey) ?? '';
    const isOwn = keys.isOwn(bearerOf(header, settings.anonKey));
    const expiresAt = numberClaim(claims, 'exp') ?? reject(claimNotNumber('exp'));
    const token = { isOwn, header, expiresAt };
    return [claims['aud']].flat().includes(OF_SESSIONS)
      ? this.validateSession(claims, token)
      : this.validateClient(request, claims, token);
  }

  /** Validates the access token of a session, or of another issuer. */
  private async validateSession(
    claims: Claims,
    { isOwn, header, expiresAt }: SignedToken,
  ): Promise<Verified> {
    const { state, verified } = this.parts;
    const issuedAt = issuedAtOf(claims);
    const claimed = identityOf(claims, isOwn);
    const endsAt = isOwn ? expiresAt : Math.min(expiresAt, this.checkForeign(claims['iss'], issuedAt));
    // Waits for the state, because before that a removed member or an ended session may be unknown.
    await state.ready();
    if (isOwn) this.requireOpenSession(claimed);
    const identity = state.members.current(claimed) ?? reject(sessionEnded);
    const reader = state.glass.readerOf(identity);
    const checked: Verified = {
      identity,
      ...(reader !== undefined && { reader }),
      expiresAt: (endsAt + CLOCK_SKEW_SECONDS) * 1000,
      ...(isOwn ? {} : { isForeign: true }),
      ...(isOwn && this.needsSecondFactor(claims, identity) && { needsSecondFactor: true }),
    };
    verified.remember(header, checked, verified.generation);
    return checked;
  }

  /** Validates the access token of an OAuth client. Only the identity service may issue these tokens. */
  private validateClient(
    { ip: address, id: requestId }: BearerRequest,
    { aud, client_id: clientId, grant_id: grantId, scope = '' }: Claims,
    { isOwn, header, expiresAt }: SignedToken,
  ): Promise<Verified> {
    const { settings, grants } = this.parts;
    const isForAssistant = aud === assistantOf(settings);
    const isMeant = isOwn && (isForAssistant || aud === settings.baseUrl);
    if (!isMeant || typeof clientId !== 'string' || typeof grantId !== 'string') return reject(otherAudience);
    return grants.admitClient({
      ...{ header, address, requestId, clientId, grantId, isForAssistant },
      scopes: String(scope).split(' '),
      expiresAt: (expiresAt + CLOCK_SKEW_SECONDS) * 1000,
    });
  }

  /**
   * Checks the issuer and the age of a token that the identity service did not issue.
   * @returns the time from which the token is too old, in seconds since the epoch
   */
  private checkForeign(issuer: unknown, issuedAt: number | undefined): number {
    if (issuer !== this.parts.settings.foreignIssuer) reject(otherIssuer);
    const tooOldAt = (issuedAt ?? reject(claimNotNumber('iat'))) + FOREIGN_MAX_AGE_SECONDS;
    if (tooOldAt + CLOCK_SKEW_SECONDS < Date.now() / 1000) reject(tooOld);
    return tooOldAt;
  }

  private needsSecondFactor({ required_aal: required }: Claims, identity: Identity): boolean {
    return (
      identity.aal === undefined && (required === 'aal2' || this.parts.state.members.requiresMfa(identity))
    );
  }

  /** Checks that a session is open. Only our own tokens end with a session. Tokens of another issuer are valid until they expire. */
  private requireOpenSession({ sessionId }: Identity): void {
    if (sessionId === undefined || this.parts.state.hasEnded(sessionId)) reject(sessionEnded);
  }
}

/** The `aud` of tokens for the assistant's endpoint. */
const assistantOf = ({ baseUrl }: AuthenticationSettings): string => `${baseUrl}${ASSISTANT_PATH}`;

function issuedAtOf(claims: Claims): number | undefined {
  const issuedAt = numberClaim(claims, 'iat');
  if ((issuedAt ?? 0) > Date.now() / 1000 + CLOCK_SKEW_SECONDS) reject(issuedInFuture);
  return issuedAt;
}

function numberClaim(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  return typeof value === 'number' ? value : reject(claimNotNumber(name));
}

/**
 * The identity in a token's claims. A token without `therapist_id` is for the practice that its user opened. Only our own tokens
 * have a session.
 */
function identityOf(claims: Claims, isOwn: boolean): Identity {
  const { sub, role, session_id: sessionId, aal } = claims;
  if (role !== 'authenticated' || !isUuid(sub)) return reject(noPractice);
  const { therapist_id: therapistId = sub, role_in_practice: practiceRole = 'owner' } = claims;
  if (!isUuid(therapistId) || !isPracticeRole(practiceRole)) return reject(noPractice);
  const identity = { therapistId, userId: sub, ...userNameOf(claims), practiceRole };
  if (!isOwn || typeof sessionId !== 'string') return identity;
  return { ...identity, sessionId, ...(aal === 'aal2' && { aal }) };
}

/** The user's name: the first of the claims `name` and `email` that is a non-empty text. */
function userNameOf({ name, email }: Claims): Pick<Identity, 'userName'> {
  const userName = [name, email].find((claim) => typeof claim === 'string' && claim !== '');
  if (userName === undefined) return {};
  // Postgres stores no half surrogate pair, which the cut may leave.
  return { userName: String(userName).slice(0, MAX_NAME_LENGTH).toWellFormed() };
}

// passport runs the strategy for access tokens: through Nest's guard for HTTP requests, and directly for joins of sockets. So a
// process without Nest does not have to load Nest.

/** The name of the strategy, for `AuthGuard` of `@nestjs/passport`. */
export const ACCESS_TOKEN = 'jwt';

/**
 * The user that the strategy has verified. `handleRequest` of a guard returns it. Its arguments come from passport's callback.
 * @param error the error of `JwtStrategy.validate`
 * @param refusal the error of the key provider, which is one of our own problems, or the error of jsonwebtoken
 * @throws {Rejection} as `Authentication.verify`
 */
export function verifiedBy<User>(error: unknown, user: User | false, refusal: unknown): User {
  if (user) return user;
  if (error) throw error as Error;
  throw refusal instanceof Rejection ? refusal : new Rejection(problemOf(refusal));
}

/** Verifies the token of a request outside Nest. passport adds members to a request, so it gets a copy. */
export const throughPassport = (request: BearerRequest): Promise<Verified> =>
  new Promise((resolve, reject) => {
    const end = (error: unknown, verified: Verified | false, refusal: unknown): void => {
      try {
        resolve(verifiedBy(error, verified, refusal));
      } catch (reason) {
        reject(reason as Error);
      }
    };
    const middleware = passport.authenticate(ACCESS_TOKEN, end) as (
      request: object,
      response: object,
      next: (error: Error) => void,
    ) => void;
    middleware({ ...request }, {}, reject);
  });
