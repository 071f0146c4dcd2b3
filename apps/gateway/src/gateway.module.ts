import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccountController } from './accounts/account.controller.js';
import { ExportController } from './exports/export.controller.js';
import { Exports } from './exports/exports.js';
import { ConsoleController } from './console/console.controller.js';
import { guards } from './guards.js';
import { HealthController } from './health/health.controller.js';
import { FairQueues } from './limits/fair-queues.js';
import { LiveController } from './live/live.controller.js';
import { AssistantController } from './mcp/assistant.controller.js';
import { ProposalController } from './mcp/proposal.controller.js';
import { ProposalStore } from './mcp/proposal-store.js';
import { AuthCalls } from './accounts/auth-calls.js';
import { OauthMetadataController } from './oauth/metadata.controller.js';
import { OauthController } from './oauth/oauth.controller.js';
import { DocsController } from './openapi/docs.controller.js';
import { HomeController } from './openapi/home.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { ProblemFilter } from './problem.filter.js';
import { RecordsController } from './records.controller.js';
import { Visitors } from './oauth/visitors.js';
import { Router } from './route/route.js';

/** The controllers of the API, whose calls the OpenAPI document describes. */
export const controllers: readonly Type[] = [
  OpenApiController,
  RecordsController,
  AccountController,
  ExportController,
  LiveController,
  HealthController,
];

@Module({})
export class GatewayModule {
  /** @param opened the providers that the process creates before Nest starts */
  static of(
    opened: readonly Provider[],
    { hasAssistant }: { readonly hasAssistant: boolean },
  ): DynamicModule {
    const oauth = [OauthController, OauthMetadataController];
    const pages = [DocsController, ConsoleController, HomeController];
    return {
      module: GatewayModule,
      controllers: [
        ...[...controllers, ...oauth, ...pages],
        ...(hasAssistant ? [AssistantController, ProposalController] : []),
      ],
      providers: [
        ...opened,
        ...[AuthCalls, Exports, ProposalStore, Visitors, Router, FairQueues],
        ...guards,
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}
