import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import type { InjectionToken } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Authentication } from '@practice/authentication';
import { connect, createRequester, createSigner, type Requester } from '@practice/bus';
import { openCounters } from '@practice/limits';
import { logBusiest, measureBus, observeRequest, serveMetrics } from '@practice/metrics';
import { createLogger, LOGGER, nestLogger, stopOnSignal } from '@practice/process';
import { isTracing, startTracing } from '@practice/tracing';
import { Composer } from './compose/composer.js';
import { GATEWAY_CONFIG, readGatewayConfig } from './gateway.config.js';
import { controllers, GatewayModule } from './gateway.module.js';
import { READINESS } from './health/health.controller.js';
import { Bodies } from './http/bodies.js';
import { InFlight } from './http/capacity.js';
import { CommonHeaders } from './http/common-headers.js';
import { measureServer } from './http/observe.js';
import { Responses } from './http/responses.js';
import { Limits } from './limits/limits.js';
import { LiveProcesses, LiveProxy } from './live/live-proxy.js';
import { passUpgrades } from './live/upgrades.js';
import { Documents, routesOf } from './openapi/documents.js';
import { createServer } from './server.js';
import {
  ACCOUNT_REQUESTER,
  mayRepeat,
  patienceFor,
  REQUESTER,
  tracedRequester,
  unanswered,
} from './services/requesters.js';

/** Passwords are hashed a few at a time, so sign-ins may wait for each other. */
const ACCOUNT_TIMEOUT_MS = 10_000;
/** How long requests that have begun may take to end when the process stops. */
const FINISH_WITHIN_MS = 10_000;
const service = 'gateway';

const config = readGatewayConfig();
const logger = createLogger(service, config.logLevel);
const connection = await connect({ url: config.natsUrl, name: service, logger });
const stopTracing = await startTracing(service, config.traceEndpoint);
const counters = await openCounters(service, config.redisUrl, logger);
const limits = new Limits(config.limits, counters);
const responses = new Responses(logger, new CommonHeaders(config, limits));
const stateIdentity = createSigner(config.statementKey);
const [requester, accountRequester] = [patienceFor(config.serviceTimeoutMs), ACCOUNT_TIMEOUT_MS]
  .map((timeoutMs) =>
    createRequester({
      ...{ connection, user: service, stateIdentity, timeoutMs },
      ...{ mayRepeat, unanswered, observe: observeRequest },
    }),
  )
  .map((one) => (isTracing() ? tracedRequester(one) : one)) as [Requester, Requester];
const inFlight = new InFlight(config.maxInFlight);
const authentication = new Authentication({
  settings: { ...config, signInsPerMinute: config.limits.auth },
  connection,
  requester,
  counters,
  logger,
});
const liveProcesses = new LiveProcesses(config.liveUrls);
const live = new LiveProxy(liveProcesses, logger);
const opened: [provide: InjectionToken, useValue: unknown][] = [
  [GATEWAY_CONFIG, config],
  [LOGGER, logger],
  [Responses, responses],
  [REQUESTER, requester],
  [ACCOUNT_REQUESTER, accountRequester],
  [Authentication, authentication],
  [Limits, limits],
  [InFlight, inFlight],
  [LiveProxy, live],
  [Bodies, new Bodies(config.bodyMemoryBytes)],
  [Composer, new Composer(requester)],
  [Documents, new Documents(config.baseUrl, routesOf(controllers))],
  [READINESS, async () => connection.isUp() && authentication.isFresh && !responses.isClosing],
];

const app = await NestFactory.create<NestFastifyApplication>(
  GatewayModule.of(
    opened.map(([provide, useValue]) => ({ provide, useValue })),
    config,
  ),
  createServer(responses, config, inFlight),
  { bodyParser: false, logger: nestLogger(logger) },
);
const endUpgrades = passUpgrades(app.getHttpServer(), {
  ...config,
  processes: liveProcesses,
  commonHeaders: responses.commonHeaders,
  logger,
});
const stopListening = authentication.start();
await app.listen(config.port, config.host);
measureBus([connection], [requester, accountRequester]);
measureServer(app.getHttpServer(), inFlight);
logBusiest(logger);
const metrics = await serveMetrics(config.metrics);
logger.info({ address: await app.getUrl(), metrics: metrics.url }, 'serving');

const stop = async (): Promise<void> => {
  // From now on, /readyz is 503 and each response closes its connection, but the port stays open until proxies have noticed.
  responses.isClosing = true;
  await pause(config.drainMs);
  // First the requests end, with the messages that they send on the bus; then everything that they need is closed.
  live.close();
  endUpgrades();
  setTimeout(() => app.getHttpAdapter().getInstance().server.closeAllConnections(), FINISH_WITHIN_MS).unref();
  await app.close();
  await metrics.close();
  stopListening();
  requester.close();
  accountRequester.close();
  await connection.close();
  counters.close();
  await stopTracing();
};
stopOnSignal(logger, stop, config.drainMs);
