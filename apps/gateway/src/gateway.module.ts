import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Authentication } from '@practice/authentication';
import type { Connection, Requester } from '@practice/bus';
import { LOGGER, type Logger } from '@practice/process';
import { AccountController } from './accounts/account.controller.js';
import { Composer } from './compose/composer.js';
import { ExportController } from './exports/export.controller.js';
import { Exports } from './exports/exports.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './gateway.config.js';
import { guards } from './guards.js';
import { HealthController, READINESS } from './health/health.controller.js';
import { Bodies } from './http/bodies.js';
import { InFlight } from './http/capacity.js';
import { Responses } from './http/responses.js';
import { FairQueues } from './limits/fair-queues.js';
import { Limits } from './limits/limits.js';
import { LiveProxy } from './live/live-proxy.js';
import { CalendarController, FeedController, RealtimeController } from './live/live.controller.js';
import { DocsController } from './openapi/docs.controller.js';
import { Documents, routesOf } from './openapi/documents.js';
import { HomeController } from './openapi/home.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { ProblemFilter } from './problem.filter.js';
import { RecordsController } from './records.controller.js';
import { Router } from './route/route.js';
import { ACCOUNT_REQUESTER, REQUESTER } from './services/requesters.js';

/** Everything that the process opens before Nest starts. */
export interface GatewayRuntime {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly responses: Responses;
  readonly connection: Connection;
  readonly requester: Requester;
  /** For calls of the auth API, which take longer. */
  readonly accountRequester: Requester;
  readonly authentication: Authentication;
  readonly limits: Limits;
  readonly inFlight: InFlight;
  readonly live: LiveProxy;
}

/** Every call of the API; the OpenAPI document describes these. */
export const controllers: readonly Type[] = [
  OpenApiController,
  RecordsController,
  AccountController,
  ExportController,
  CalendarController,
  FeedController,
  RealtimeController,
  HealthController,
];

@Module({})
export class GatewayModule {
  static of(runtime: GatewayRuntime): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [...controllers, DocsController, HomeController],
      providers: [
        ...opened(runtime),
        { provide: Limits, useValue: runtime.limits },
        { provide: InFlight, useValue: runtime.inFlight },
        { provide: LiveProxy, useValue: runtime.live },
        { provide: Bodies, useValue: new Bodies(runtime.config.bodyMemoryBytes) },
        ...guards,
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}

function opened(runtime: GatewayRuntime): Provider[] {
  const { config, logger, responses, connection, requester, accountRequester, authentication } = runtime;
  return [
    { provide: GATEWAY_CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: Responses, useValue: responses },
    { provide: Documents, useValue: new Documents(config.baseUrl, routesOf(controllers)) },
    { provide: REQUESTER, useValue: requester },
    { provide: ACCOUNT_REQUESTER, useValue: accountRequester },
    { provide: Composer, useValue: new Composer(requester) },
    Exports,
    Router,
    FairQueues,
    { provide: Authentication, useValue: authentication },
    {
      provide: READINESS,
      useValue: async () => connection.isUp() && authentication.isFresh && !responses.isClosing,
    },
  ];
}
