// What the gateway is made of.

import { Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { Connection, Requester } from '@practice/messaging';
import { LOGGER, READINESS } from '@practice/service';
import type { Logger } from '@practice/service';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { AuthInfoController } from './auth/auth-info.controller.js';
import { AuthController } from './auth/auth.controller.js';
import { VerificationKeys } from './auth/bearer.js';
import { EndedSessions } from './auth/ended-sessions.js';
import { JwtGuard } from './auth/jwt.guard.js';
import { JwtStrategy } from './auth/jwt.strategy.js';
import { LiveSessions } from './auth/live-sessions.js';
import { OpenPracticeHandler } from './auth/open-practice.command.js';
import { PasswordCheck } from './auth/password-check.js';
import { Passwords } from './auth/passwords.js';
import { RefreshSessionHandler } from './auth/refresh-session.command.js';
import { SessionIssue } from './auth/session-issue.js';
import { SignInHandler } from './auth/sign-in.command.js';
import { SignOutHandler } from './auth/sign-out.command.js';
import { SigningKeys } from './auth/signing-keys.js';
import { VerifiedTokens } from './auth/verified-tokens.js';
import { Composer } from './compose/composer.js';
import { Database } from './database.js';
import { Answers } from './door/answers.js';
import { GATEWAY_CONFIG } from './gateway.config.js';
import type { GatewayConfig } from './gateway.config.js';
import { HealthController } from './health/health.controller.js';
import type { Counters } from './limits/counters.js';
import { LimitsGuard } from './limits/limits.guard.js';
import { Limits } from './limits/limits.js';
import { Lockout } from './limits/lockout.js';
import { ProblemFilter } from './problem.filter.js';
import { REQUESTER } from './rest/requester.js';
import { RestController } from './rest/rest.controller.js';

/** What the process has opened before Nest starts. */
export interface GatewayRuntime {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly answers: Answers;
  readonly database: Database;
  readonly connection: Connection;
  readonly requester: Requester;
  readonly counters: Counters;
  readonly limits: Limits;
}

@Module({})
export class GatewayModule {
  static of(runtime: GatewayRuntime): DynamicModule {
    return {
      module: GatewayModule,
      imports: [CqrsModule.forRoot()],
      controllers: [RestController, AuthController, AuthInfoController, HealthController],
      providers: [
        ...opened(runtime),
        ...accounts(runtime),
        { provide: Limits, useValue: runtime.limits },
        { provide: Lockout, useValue: new Lockout(runtime.counters) },
        // In this order: which project, who, how often.
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: JwtGuard },
        { provide: APP_GUARD, useClass: LimitsGuard },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}

function opened({ config, logger, answers, database, connection, requester }: GatewayRuntime): Provider[] {
  return [
    { provide: GATEWAY_CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: Answers, useValue: answers },
    { provide: Database, useValue: database },
    { provide: REQUESTER, useValue: requester },
    { provide: Composer, useValue: new Composer(requester) },
    { provide: READINESS, useValue: async () => connection.isUp() && (await database.isUp()) },
  ];
}

function accounts({ config, logger, database }: GatewayRuntime): Provider[] {
  const keys = new SigningKeys(database, config.accessTokenTtlSeconds);
  const verified = new VerifiedTokens();
  const onError = (err: unknown): void => logger.warn({ err }, 'ends of sessions are not heard of');
  return [
    { provide: SigningKeys, useValue: keys },
    { provide: VerificationKeys, useValue: new VerificationKeys(keys, config.jwtSecret) },
    { provide: VerifiedTokens, useValue: verified },
    { provide: EndedSessions, useValue: new EndedSessions(config.databaseUrl, verified, onError) },
    { provide: LiveSessions, useValue: new LiveSessions(database, verified) },
    { provide: SessionIssue, useValue: new SessionIssue(keys, config) },
    { provide: Passwords, useClass: Passwords },
    JwtStrategy,
    PasswordCheck,
    OpenPracticeHandler,
    SignInHandler,
    RefreshSessionHandler,
    SignOutHandler,
  ];
}
