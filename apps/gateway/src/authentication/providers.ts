import type { Provider } from '@nestjs/common';
import type { Counters } from '@practice/limits';
import type { Connection, Requester } from '@practice/messaging';
import type { Logger } from '@practice/process';
import type { GatewayConfig } from '../gateway.config.js';
import { VerificationKeys } from './bearer.js';
import { IdentityState } from './identity-state.js';
import { JwtStrategy } from './jwt.strategy.js';
import { PersonalBearer } from './personal-bearer.js';
import { TokenThrottle } from './token-throttle.js';
import { VerifiedTokens } from './verified-tokens.js';

export interface AuthenticationParts {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly connection: Connection;
  readonly requester: Requester;
  readonly counters: Counters;
}

/** Everything that the check of tokens needs. */
export function authenticationProviders(parts: AuthenticationParts): Provider[] {
  const { config, requester, counters } = parts;
  const verified = new VerifiedTokens();
  const state = new IdentityState({ ...parts, verified });
  return [
    { provide: VerifiedTokens, useValue: verified },
    { provide: IdentityState, useValue: state },
    { provide: VerificationKeys, useValue: new VerificationKeys(state, config.jwtSecret) },
    {
      provide: PersonalBearer,
      useValue: new PersonalBearer(requester, verified, new TokenThrottle(counters)),
    },
    JwtStrategy,
  ];
}
