// What the auth API is made of.

import type { Provider, Type } from '@nestjs/common';
import type { Logger } from '@practice/service';
import type { Database } from '../database.js';
import type { GatewayConfig } from '../gateway.config.js';
import type { Counters } from '@practice/limits';
import { TokenThrottle } from '../authentication/token-throttle.js';
import { MailThrottle } from './mail/mail-throttle.js';
import { AuthInfoController } from './auth-info.controller.js';
import { AuthController } from './auth.controller.js';
import { VerificationKeys } from '../authentication/bearer.js';
import { ChangeUserHandler } from './change-user.command.js';
import { EndedSessions } from './ended-sessions.js';
import { JwtStrategy } from '../authentication/jwt.strategy.js';
import { ExchangeCodeHandler } from './exchange-code.command.js';
import { KeySeal } from './keys/key-seal.js';
import { SigningKeys } from './keys/signing-keys.js';
import { LiveSessions } from './live-sessions.js';
import { OutgoingMail } from './mail/outgoing-mail.js';
import { SiteLinks } from './mail/site-links.js';
import { OpenPracticeHandler } from './open-practice.command.js';
import { PasswordCheck } from './password-check.js';
import { Passwords } from './passwords.js';
import { PersonalBearer } from './personal-tokens/personal-bearer.js';
import { PersonalTokensController } from './personal-tokens/personal-tokens.controller.js';
import { ReauthenticateHandler } from './reauthenticate.command.js';
import { RecoveryController } from './recovery.controller.js';
import { RefreshSessionHandler } from './refresh-session.command.js';
import { RequestRecoveryHandler } from './request-recovery.command.js';
import { SessionIssue } from './session-issue.js';
import { SignInHandler } from './sign-in.command.js';
import { SignOutHandler } from './sign-out.command.js';
import { TokenSuccession } from './token-succession.js';
import { UnavailableController } from './unavailable.controller.js';
import { UseRecoveryHandler } from './use-recovery.command.js';
import { UserController } from './user.controller.js';
import { VerifiedTokens } from '../authentication/verified-tokens.js';

interface Opened {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly database: Database;
  readonly counters: Counters;
}

export const accountControllers: readonly Type[] = [
  AuthController,
  UserController,
  RecoveryController,
  PersonalTokensController,
  UnavailableController,
  AuthInfoController,
];

const handlers: readonly Type[] = [
  OpenPracticeHandler,
  SignInHandler,
  RefreshSessionHandler,
  SignOutHandler,
  ChangeUserHandler,
  ReauthenticateHandler,
  RequestRecoveryHandler,
  UseRecoveryHandler,
  ExchangeCodeHandler,
];

/** What they need, from what the process has opened. */
export function accountProviders({ config, logger, database, counters }: Opened): Provider[] {
  const keys = new SigningKeys(database, new KeySeal(config.keyEncryptionKey), config.accessTokenTtlSeconds);
  const verified = new VerifiedTokens();
  const ended = new EndedSessions(config.databaseUrl, {
    verified,
    keysChanged: () => {
      keys
        .changed()
        .then(() => verified.forgetAll())
        .catch((err: unknown) => logger.warn({ err }, 'signing keys were not read'));
    },
    failed: (err) => logger.warn({ err }, 'ends of sessions are not heard of'),
  });
  return [
    { provide: SigningKeys, useValue: keys },
    { provide: VerificationKeys, useValue: new VerificationKeys(keys, config.jwtSecret) },
    { provide: VerifiedTokens, useValue: verified },
    { provide: EndedSessions, useValue: ended },
    { provide: LiveSessions, useValue: new LiveSessions(database, verified) },
    {
      provide: PersonalBearer,
      useValue: new PersonalBearer(database, verified, new TokenThrottle(counters)),
    },
    { provide: SessionIssue, useValue: new SessionIssue(keys, config) },
    { provide: TokenSuccession, useValue: new TokenSuccession(config.keyEncryptionKey) },
    { provide: Passwords, useClass: Passwords },
    { provide: OutgoingMail, useValue: new OutgoingMail(config.mail, logger) },
    { provide: SiteLinks, useValue: new SiteLinks(config) },
    { provide: MailThrottle, useValue: new MailThrottle(counters) },
    JwtStrategy,
    PasswordCheck,
    ...handlers,
  ];
}
