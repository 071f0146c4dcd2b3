import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { catalog, resourcesOf } from '@practice/contracts';
import type { RelayOptions } from '@practice/event-store';
import { createPublisher } from '@practice/events';
import { createRequester, FrameErrors } from '@practice/messaging';
import type { Connection } from '@practice/messaging';
import type { Decider, Policy } from '@practice/resource';
import { DeletionController } from './references/deletion.controller.js';
import { DeletionBarrier } from './references/deletion-barrier.js';
import { ApplyEventHandler } from './projections/apply-event.handler.js';
import { BatchHandler } from './projections/batch-handler.js';
import { MirrorSubscriber, SUBSCRIBER_OPTIONS } from './projections/subscriber.js';
import type { SubscriberOptions } from './projections/subscriber.js';
import { LookupController } from './references/lookup.controller.js';
import type { Mirrored } from './projections/mirror-table.js';
import { PROJECTION_PARTS } from './projections/projection-parts.js';
import type { ProjectionParts } from './projections/projection-parts.js';
import { RecordOwners } from './references/record-owners.js';
import { MessageController } from './message.controller.js';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import type { ServiceConfig } from './process/service.config.js';
import { publishable } from './publish.js';
import { ReadHandler } from './read/read.handler.js';
import { SubqueryHandler } from './read/subquery.handler.js';
import { OutboxRelay, RELAY_OPTIONS, WakeRelay } from './relay.js';
import { TenantDatabase } from './storage/tenant-database.js';
import type { CrossTenantConnection } from './storage/cross-tenant-connection.js';
import { Deciders } from './write/deciders.js';
import { WriteQueue } from './write/group/write-queue.js';
import { InFlightDuplicates } from './write/in-flight-duplicates.js';
import { RecordTransactions } from './write/record-transactions.js';
import { UnitsOfWork } from './write/unit-of-work.js';
import { WriteHandler } from './write/write.handler.js';

/** The parts of a service beyond the definitions that it owns. */
export interface ServiceParts {
  readonly service: string;
  /** The rules of its aggregates; a resource without one has none. */
  readonly deciders: readonly Decider[];
  /** The columns that it mirrors of other services' records: resource → columns, the id always. */
  readonly mirrored?: Mirrored;
  /** How it reacts to changes of them. */
  readonly policies?: readonly Policy[];
  /** DDL of private tables. */
  readonly tables?: readonly string[];
  /** Operations beyond those on records, with the providers that they need. */
  readonly extension?: (runtime: ServiceRuntime) => ServiceExtension;
}

/** The parts that a service adds to the ones that every service shares. */
export interface ServiceExtension {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

/** Connections that the process has opened before Nest starts. */
export interface ServiceRuntime {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly connection: Connection;
  readonly database: TenantDatabase;
  readonly crossTenant: CrossTenantConnection;
}

/** The parts every domain service shares; a service's own module names it with what makes the service itself. */
@Module({})
export class ServiceModule {
  static of(parts: ServiceParts, runtime: ServiceRuntime): DynamicModule {
    const { controllers, providers } = parts.extension?.(runtime) ?? { controllers: [], providers: [] };
    return {
      module: ServiceModule,
      imports: [CqrsModule.forRoot()],
      controllers: [MessageController, LookupController, DeletionController, ...controllers],
      providers: [
        ...opened(parts, runtime),
        ...projections(parts, runtime),
        WriteQueue,
        InFlightDuplicates,
        ReadHandler,
        SubqueryHandler,
        RecordTransactions,
        WriteHandler,
        ApplyEventHandler,
        UnitsOfWork,
        OutboxRelay,
        WakeRelay,
        { provide: APP_FILTER, useClass: FrameErrors },
        ...providers,
      ],
    };
  }
}

function opened(
  { service, deciders }: ServiceParts,
  { config, logger, connection, database }: ServiceRuntime,
): Provider[] {
  const resources = resourcesOf(service);
  const { publish } = createPublisher({ connection, service });
  const relay: RelayOptions = {
    service,
    databaseUrl: config.relayDatabaseUrl,
    publish: (events) => publish(events.map((event) => publishable(resources, event))),
    onError: (err) => logger.error({ err }, 'relay'),
  };
  return [
    { provide: LOGGER, useValue: logger },
    { provide: TenantDatabase, useValue: database },
    { provide: Deciders, useValue: new Deciders(resources, deciders) },
    { provide: RELAY_OPTIONS, useValue: relay },
  ];
}

/** A service that takes longer to answer a question counts as unavailable. */
const ANSWER_WITHIN_MS = 2000;

function projections(
  { service, mirrored = {}, policies = [] }: ServiceParts,
  { connection, crossTenant }: ServiceRuntime,
): Provider[] {
  const parts: ProjectionParts = { mirrored, policies };
  const requester = createRequester({
    connection,
    user: connection.user,
    instance: randomUUID(),
    timeoutMs: ANSWER_WITHIN_MS,
  });
  return [
    { provide: RecordOwners, useValue: new RecordOwners(requester, catalog, mirrored) },
    { provide: DeletionBarrier, useValue: new DeletionBarrier(requester, catalog) },
    { provide: PROJECTION_PARTS, useValue: parts },
    {
      provide: BatchHandler,
      inject: [CommandBus],
      useFactory: (commands: CommandBus) => new BatchHandler(service, parts, { crossTenant, commands }),
    },
    { provide: SUBSCRIBER_OPTIONS, useValue: { service, connection, mirrored } satisfies SubscriberOptions },
    MirrorSubscriber,
  ];
}
