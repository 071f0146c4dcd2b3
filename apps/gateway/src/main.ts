import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startRelay } from '@practice/event-store';
import { createPublisher } from '@practice/events';
import { openCounters } from '@practice/limits';
import { connect, createRequester } from '@practice/messaging';
import { createLogger, nestLogger, stopOnSignal } from '@practice/service';
import { SigningKeys } from './auth/keys/signing-keys.js';
import { OutgoingMail } from './auth/mail/outgoing-mail.js';
import { EndedSessions } from './auth/ended-sessions.js';
import { Database } from './database.js';
import { Responses } from './http/responses.js';
import { CommonHeaders } from './http/common-headers.js';
import { createServer } from './http/server.js';
import { readGatewayConfig } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import type { GatewayRuntime } from './gateway.module.js';
import { Limits } from './limits/limits.js';

/** A service that takes longer is said to be away. */
const SERVICE_TIMEOUT_MS = 3000;
/** How long requests that have begun may take to end when the process stops. */
const FINISH_WITHIN_MS = 10_000;
const service = 'gateway';

const config = readGatewayConfig();
const logger = createLogger(service, config.logLevel);
const connection = await connect({ url: config.natsUrl, name: service, logger });
const counters = await openCounters(service, config.redisUrl, logger);
const limits = new Limits(config.limits, counters);
const responses = new Responses(
  logger,
  new CommonHeaders({ ...config, untouched: (kind) => limits.untouched(kind) }),
);
const requester = createRequester({
  connection,
  user: connection.user,
  instance: randomUUID(),
  timeoutMs: SERVICE_TIMEOUT_MS,
});
const relay = startRelay({
  service,
  databaseUrl: config.relayDatabaseUrl,
  publish: createPublisher({ connection, service }).publish,
  onError: (err) => logger.error({ err }, 'relay'),
});
const database = new Database(config.databaseUrl, {
  lost: (err) => logger.warn({ err }, 'a database connection was lost'),
  appended: () => relay.wake(),
});
const runtime: GatewayRuntime = {
  config,
  logger,
  responses,
  database,
  connection,
  requester,
  counters,
  limits,
};

const app = await NestFactory.create<NestFastifyApplication>(
  GatewayModule.of(runtime),
  createServer(responses, config),
  { bodyParser: false, logger: nestLogger(logger) },
);
await app.get(SigningKeys).active();
await app.get(EndedSessions).listen();
await app.listen(config.port, config.host);
logger.info({ address: await app.getUrl() }, 'serving');

stopOnSignal(logger, async () => {
  // Requests first, and what they commit to the bus; then what they needed.
  responses.closing();
  setTimeout(() => app.getHttpAdapter().getInstance().server.closeAllConnections(), FINISH_WITHIN_MS).unref();
  await app.close();
  await app.get(OutgoingMail).close();
  await relay.stop();
  await app.get(EndedSessions).close();
  requester.close();
  await connection.close();
  await database.close();
  counters.close();
});
