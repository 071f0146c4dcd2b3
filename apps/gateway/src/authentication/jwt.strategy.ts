import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { reject } from '@practice/core';
import type { Identity } from '@practice/core';
import { Strategy } from 'passport-jwt';
import type { HttpRequest } from '../http/request.js';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import { ALGORITHMS, authorizationOf, bearerOf, isOwnToken, VerificationKeys } from './bearer.js';
import { IdentityState } from './identity-state.js';
import { claimNotNumber, issuedInFuture, noPractice, sessionEnded } from './token-problems.js';
import { VerifiedTokens } from './verified-tokens.js';

/** The claims of a token, not checked yet. */
type Claims = Readonly<Record<string, unknown>>;

/** Tolerated difference between this clock and another issuer's. */
const CLOCK_SKEW_SECONDS = 30;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Verifies an access token: passport-jwt checks signature and times; then the user and the session are checked here. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    keys: VerificationKeys,
    private readonly state: IdentityState,
    private readonly verified: VerifiedTokens,
  ) {
    super({
      jwtFromRequest: (request: unknown) =>
        bearerOf(authorizationOf(request as HttpRequest, config.anonKey), config.anonKey),
      secretOrKeyProvider: (_request, token, done) => {
        keys.keyFor(token as string).then(
          (key) => done(null, key as never),
          (error: unknown) => done(error),
        );
      },
      algorithms: Object.values(ALGORITHMS),
      audience: 'authenticated',
      jsonWebTokenOptions: { clockTolerance: CLOCK_SKEW_SECONDS },
      passReqToCallback: true,
    });
  }

  /** Called with the claims of a token whose signature is valid. */
  async validate(request: HttpRequest, claims: Claims): Promise<Identity> {
    const expiresAt = numberClaim(claims, 'exp') ?? reject(claimNotNumber('exp'));
    if ((numberClaim(claims, 'iat') ?? 0) > Date.now() / 1000 + CLOCK_SKEW_SECONDS) reject(issuedInFuture);
    const header = authorizationOf(request, this.config.anonKey) ?? '';
    const isOwn = isOwnToken(bearerOf(header, this.config.anonKey));
    const identity = identityOf(claims, isOwn);
    const checked = { identity, expiresAt: (expiresAt + CLOCK_SKEW_SECONDS) * 1000 };
    if (isOwn) await this.requireOpenSession(identity);
    this.verified.remember(header, checked, this.verified.asOf);
    return identity;
  }

  /** Tokens of another issuer stay valid until they expire; our own end with their session. */
  private async requireOpenSession({ sessionId }: Identity): Promise<void> {
    await this.state.ready();
    if (sessionId === undefined || this.state.hasEnded(sessionId)) reject(sessionEnded);
  }
}

function numberClaim(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  return typeof value === 'number' ? value : reject(claimNotNumber(name));
}

/** Only our own tokens have a session. */
function identityOf({ sub, role, session_id: sessionId }: Claims, isOwn: boolean): Identity {
  if (role !== 'authenticated' || typeof sub !== 'string' || !UUID.test(sub)) return reject(noPractice);
  return isOwn && typeof sessionId === 'string' ? { therapistId: sub, sessionId } : { therapistId: sub };
}
