import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Decider } from '@practice/core';
import { resourcesOf } from '@practice/contracts';
import { createPublisher } from '@practice/events';
import type { Connection } from '@practice/messaging';
import type { Row } from '@practice/resource';
import { HealthController, READINESS } from './process/health.controller.js';
import { LOGGER } from './process/logging.js';
import type { Logger } from './process/logging.js';
import type { ServiceConfig } from './process/service.config.js';
import { ReadHandler } from './read/read.handler.js';
import { OutboxRelay, RELAY_OPTIONS, WakeRelay } from './relay.js';
import { RestController } from './rest.controller.js';
import { Database } from './storage/database.js';
import { Deciders } from './write/deciders.js';
import { WriteHandler } from './write/write.handler.js';

/** What a service is made of beyond the definitions it owns. */
export interface ServiceParts {
  readonly service: string;
  /** The rules of its aggregates; a resource without one has none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each decider knows its own row type
  readonly deciders: readonly Decider<any>[];
}

/** What the process has opened before Nest starts. */
export interface ServiceRuntime {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly connection: Connection;
  readonly database: Database;
}

/** The parts every domain service shares; a service's own module names it with what makes the service itself. */
@Module({})
export class ServiceModule {
  static of(
    { service, deciders }: ServiceParts,
    { config, logger, connection, database }: ServiceRuntime,
  ): DynamicModule {
    const relay = {
      service,
      databaseUrl: config.relayDatabaseUrl,
      publish: createPublisher({ connection, service }).publish,
      onError: (err: unknown) => logger.error({ err }, 'relay'),
    };
    return {
      module: ServiceModule,
      imports: [CqrsModule.forRoot()],
      controllers: [RestController, HealthController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Database, useValue: database },
        {
          provide: Deciders,
          useValue: new Deciders(resourcesOf(service), deciders as readonly Decider<Row>[]),
        },
        { provide: READINESS, useValue: async () => connection.isUp() && (await database.isReady()) },
        { provide: RELAY_OPTIONS, useValue: relay },
        ReadHandler,
        WriteHandler,
        OutboxRelay,
        WakeRelay,
      ],
    };
  }
}
