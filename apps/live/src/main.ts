import { Authentication } from '@practice/authentication';
import { connect, createRequester } from '@practice/bus';
import { PracticeFeed } from '@practice/feed';
import { openCounters } from '@practice/limits';
import { measureBus, observeRequest, serveMetrics } from '@practice/metrics';
import { createLogger, listen, stopOnSignal } from '@practice/process';
import { startTracing } from '@practice/tracing';
import { CalendarEndpoint } from './calendar/calendar.endpoint.js';
import type { Endpoint, LiveRuntime } from './endpoint.js';
import { FeedEndpoint } from './feed/feed.endpoint.js';
import { readLiveConfig } from './live.config.js';
import { RealtimeEndpoint } from './realtime/realtime-endpoint.js';
import { createLiveServer } from './server.js';

/** The endpoints of a live process. */
const endpointsOf = (runtime: LiveRuntime): readonly Endpoint[] => [
  new FeedEndpoint(runtime, new PracticeFeed(runtime)),
  new RealtimeEndpoint(runtime),
  new CalendarEndpoint(runtime),
];

const service = 'live';

const config = readLiveConfig();
const logger = createLogger(service, config.logLevel);
const connection = await connect({ url: config.natsUrl, name: service, logger });
const stopTracing = await startTracing(service, config.traceEndpoint);
const counters = await openCounters(service, config.redisUrl, logger);
const requester = createRequester({
  connection,
  user: service,
  timeoutMs: config.serviceTimeoutMs,
  // A live process only reads.
  mayRepeat: () => true,
  observe: observeRequest,
});
const authentication = new Authentication({
  settings: config.authentication,
  connection,
  requester,
  counters,
  logger,
});
const stopListening = authentication.start();
const runtime: LiveRuntime = { logger, connection, requester, authentication };

const endpoints = endpointsOf(runtime);

const server = createLiveServer(endpoints, () => connection.isUp() && authentication.isFresh, logger);
await listen(server, config);
measureBus([connection], [requester]);
const metrics = await serveMetrics(config.metrics);
logger.info({ address: server.address(), metrics: metrics.url }, 'serving');

stopOnSignal(logger, async () => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const endpoint of endpoints) endpoint.close?.();
  server.closeIdleConnections();
  await closed;
  await metrics.close();
  stopListening();
  requester.close();
  await connection.close();
  counters.close();
  await stopTracing();
});
