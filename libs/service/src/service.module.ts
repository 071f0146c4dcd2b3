import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { functionsOf, resourcesOf } from '@practice/contracts';
import type { RelayOptions } from '@practice/log';
import { createPublisher, createRequester, FrameErrors } from '@practice/bus';
import {
  handledBy,
  Functions,
  DeletionController,
  SearchHandler,
  TimelineHandler,
  UndoHandler,
  Deciders,
  Effects,
  type WriteEffect,
  WriteQueue,
  expiredIdempotency,
  InFlightDuplicates,
  RecentSignIns,
  RecordTransactions,
  Refusals,
  UnitsOfWork,
} from '@practice/write';
import { BatchController } from './requests/batch.controller.js';
import { FunctionController } from './requests/function.controller.js';
import { VerifyLog, LogRootController, refillOf, republish } from '@practice/recovery';
import { DeletionBarrier, LookupController, RecordOwners } from '@practice/mirror';
import {
  BatchHandler,
  MirrorSubscriber,
  SUBSCRIBER_OPTIONS,
  PROJECTION_PARTS,
  MissingEvents,
} from '@practice/projections';
import type { SubscriberOptions, ProjectionParts } from '@practice/projections';
import {
  PracticeEventsController,
  RecordChangesController,
  RecordEventsController,
  AccessLog,
} from '@practice/read';
import { RefillController } from './relay/refill.controller.js';
import { ErasureLedger, ErasedParts, ErasedPartController } from '@practice/privacy';
import type { ServiceExtension, ServiceParts, ServiceRuntime } from './service-parts.js';
import { commandHandlers, queryHandlers } from './handlers.js';
import { MessageController } from './requests/message.controller.js';
import { LOGGER } from '@practice/process';
import { measureBus, observeRequest } from '@practice/metrics';
import { observedPublish } from './relay/relay-metrics.js';
import { publishable } from '@practice/resource';
import { Replies } from './requests/replies.js';
import { OutboxRelay, RELAY_OPTIONS, WakeRelay } from './relay/relay.js';
import { TenantDatabase, CrossTenantConnection, Sweeper, SWEEPS } from '@practice/storage';

/** The entry points that every service has. */
const sharedControllers: readonly Type[] = [
  MessageController,
  FunctionController,
  BatchController,
  LookupController,
  DeletionController,
  LogRootController,
  PracticeEventsController,
  RecordChangesController,
  RecordEventsController,
  RefillController,
  ErasedPartController,
];

/** The Nest module of a domain service: the parts that all services share, and the parts of this service. */
@Module({})
export class ServiceModule {
  static of(parts: ServiceParts, runtime: ServiceRuntime): DynamicModule {
    const extension: ServiceExtension = parts.extension?.(runtime) ?? {};
    const { controllers = [], providers = [] } = parts;
    const { effects = [], sweeps = [] } = extension;
    const expired = resourcesOf(parts.service).length === 0 ? [] : [expiredIdempotency(parts.service)];
    return {
      module: ServiceModule,
      imports: [CqrsModule.forRoot()],
      controllers: [...sharedControllers, ...controllers],
      providers: [
        ...opened(parts, runtime),
        erasedParts(runtime),
        ...projections(parts, runtime),
        ...functions(parts),
        Replies,
        AccessLog,
        {
          provide: Effects,
          inject: [...effects],
          useFactory: (...all: WriteEffect[]) => new Effects(all),
        },
        WriteQueue,
        InFlightDuplicates,
        ...queryHandlers,
        ...commandHandlers,
        RecordTransactions,
        Refusals,
        UnitsOfWork,
        OutboxRelay,
        WakeRelay,
        { provide: SWEEPS, useValue: [...expired, ...sweeps] },
        Sweeper,
        { provide: APP_FILTER, useClass: FrameErrors },
        ...providers,
        ...(extension.providers ?? []),
      ],
    };
  }
}

const erasedParts = ({ config, connection, crossTenant, database }: ServiceRuntime): Provider => ({
  provide: ErasedParts,
  useValue: new ErasedParts(database, {
    connection,
    crossTenant,
    relayUrl: config.relayDatabaseUrl,
    republish: ({ service, therapistId }, records) =>
      republish({
        service,
        url: config.relayDatabaseUrl,
        publish: createPublisher({ connection, service, again: 'for an erasure' }).publish,
        resources: resourcesOf(service),
        practice: therapistId,
        records,
      }),
  }),
});

function opened(
  { service, deciders }: ServiceParts,
  { config, logger, connection, database, crossTenant, ledger, troubles }: ServiceRuntime,
): Provider[] {
  const resources = resourcesOf(service);
  const bus = createPublisher({ connection, service, keeping: config.streamKeeping });
  const { publish } = bus;
  const relay: RelayOptions = {
    service,
    databaseUrl: config.relayDatabaseUrl,
    bus: {
      ...bus,
      publish: observedPublish((events) => publish(events.map((event) => publishable(resources, event)))),
    },
    refill: refillOf(service, { connection, logger, resources }),
    onState: (state) =>
      troubles.set(
        'relay',
        state === 'publishing lost events again'
          ? { place: 'relay', problem: 'the stream has lost events; they are published again' }
          : null,
      ),
    onError: (err) => logger.error({ err }, 'relay'),
  };
  return [
    { provide: LOGGER, useValue: logger },
    { provide: TenantDatabase, useValue: database },
    { provide: ErasureLedger, useValue: ledger },
    { provide: CrossTenantConnection, useValue: crossTenant },
    { provide: Deciders, useValue: new Deciders(resources, deciders) },
    { provide: RELAY_OPTIONS, useValue: relay },
  ];
}

/** The handlers of functions that several services carry out in the same way. */
const shared: readonly Type[] = [SearchHandler, TimelineHandler, VerifyLog, UndoHandler];

function functions({ service, functions: own = [] }: ServiceParts): Provider[] {
  const all = functionsOf(service);
  const handlers = [...own, ...shared.filter((handler) => all.some((one) => one === handledBy(handler)))];
  const useFactory = (...made: object[]): Functions => new Functions(service, made);
  return [...handlers, { provide: Functions, inject: [...handlers], useFactory }];
}

function projections(
  { service, mirrored = {}, policies = [] }: ServiceParts,
  { config, requests, connection, crossTenant, logger, troubles }: ServiceRuntime,
): Provider[] {
  const parts: ProjectionParts = { mirrored, policies };
  const requester = createRequester({
    connection,
    user: service,
    // Less than the caller's time, so that this service can still answer.
    timeoutMs: (config.serviceTimeoutMs * 2) / 3,
    observe: observeRequest,
  });
  measureBus([requests, connection], [requester]);
  const missing = new MissingEvents(requester, { logger, troubles });
  return [
    { provide: RecordOwners, useValue: new RecordOwners(requester, mirrored) },
    { provide: RecentSignIns, useValue: new RecentSignIns(requester) },
    { provide: DeletionBarrier, useValue: new DeletionBarrier(requester) },
    { provide: PROJECTION_PARTS, useValue: parts },
    {
      provide: BatchHandler,
      inject: [CommandBus],
      useFactory: (commands: CommandBus) =>
        new BatchHandler(service, parts, { crossTenant, commands, missing }),
    },
    {
      provide: SUBSCRIBER_OPTIONS,
      useValue: { service, connection, mirrored, crossTenant } satisfies SubscriberOptions,
    },
    MirrorSubscriber,
  ];
}
