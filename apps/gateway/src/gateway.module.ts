// What the gateway is made of.

import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { Connection, Requester } from '@practice/messaging';
import { LOGGER } from '@practice/service';
import type { Logger } from '@practice/service';
import { accountControllers, accountProviders } from './auth/accounts.js';
import { ApiKeyGuard } from './authentication/api-key.guard.js';
import { JwtGuard } from './authentication/jwt.guard.js';
import { Composer } from './compose/composer.js';
import { Database } from './database.js';
import { HomeController } from './openapi/home.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { Documents } from './openapi/documents.js';
import { routesOf } from './openapi/routes.js';
import { DocsController } from './openapi/docs.controller.js';
import { Responses } from './http/responses.js';
import { GATEWAY_CONFIG } from './gateway.config.js';
import type { GatewayConfig } from './gateway.config.js';
import { HealthController, READINESS } from './health/health.controller.js';
import type { Counters } from '@practice/limits';
import { Limits } from './limits/limits.js';
import { LimitsGuard } from './limits/limits.guard.js';
import { Lockout } from './limits/lockout.js';
import { ProblemFilter } from './problem.filter.js';
import { REQUESTER } from './route/requester.js';
import { RestController } from './rest/rest.controller.js';
import { Router } from './route/route.js';

/** What the process has opened before Nest starts. */
export interface GatewayRuntime {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly responses: Responses;
  readonly database: Database;
  readonly connection: Connection;
  readonly requester: Requester;
  readonly counters: Counters;
  readonly limits: Limits;
}

/** Every call of the API: what is described is what these answer. */
export const controllers: readonly Type[] = [
  OpenApiController,
  RestController,
  ...accountControllers,
  HealthController,
];

@Module({})
export class GatewayModule {
  static of(runtime: GatewayRuntime): DynamicModule {
    return {
      module: GatewayModule,
      imports: [CqrsModule.forRoot()],
      controllers: [...controllers, DocsController, HomeController],
      providers: [
        ...opened(runtime),
        ...accountProviders(runtime),
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

function opened({ config, logger, responses, database, connection, requester }: GatewayRuntime): Provider[] {
  return [
    { provide: GATEWAY_CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: Responses, useValue: responses },
    { provide: Documents, useValue: new Documents(config.baseUrl, routesOf(controllers)) },
    { provide: Database, useValue: database },
    { provide: REQUESTER, useValue: requester },
    { provide: Composer, useValue: new Composer(requester) },
    Router,
    { provide: READINESS, useValue: async () => connection.isUp() && (await database.isUp()) },
  ];
}
