import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openCounters } from '@practice/limits';
import { connect, createRequester } from '@practice/messaging';
import type { Requester } from '@practice/messaging';
import { createLogger, nestLogger, stopOnSignal } from '@practice/process';
import { IdentityState } from './authentication/identity-state.js';
import { Responses } from './http/responses.js';
import { CommonHeaders } from './http/common-headers.js';
import { createServer } from './http/server.js';
import { readGatewayConfig } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import type { GatewayRuntime } from './gateway.module.js';
import { Limits } from './limits/limits.js';

/** A service that takes longer counts as unavailable. */
const SERVICE_TIMEOUT_MS = 3000;
/** Passwords are hashed a few at a time, so sign-ins may wait for each other. */
const ACCOUNT_TIMEOUT_MS = 10_000;
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
const [requester, accountRequester] = [SERVICE_TIMEOUT_MS, ACCOUNT_TIMEOUT_MS].map((timeoutMs) =>
  createRequester({ connection, user: connection.user, instance: randomUUID(), timeoutMs }),
) as [Requester, Requester];
const runtime: GatewayRuntime = {
  config,
  logger,
  responses,
  connection,
  requester,
  accountRequester,
  counters,
  limits,
};

const app = await NestFactory.create<NestFastifyApplication>(
  GatewayModule.of(runtime),
  createServer(responses, config),
  { bodyParser: false, logger: nestLogger(logger) },
);
const stopListening = app.get(IdentityState).start();
await app.listen(config.port, config.host);
logger.info({ address: await app.getUrl() }, 'serving');

stopOnSignal(logger, async () => {
  // Requests first, and what they commit to the bus; then what they needed.
  responses.closing();
  setTimeout(() => app.getHttpAdapter().getInstance().server.closeAllConnections(), FINISH_WITHIN_MS).unref();
  await app.close();
  stopListening();
  requester.close();
  accountRequester.close();
  await connection.close();
  counters.close();
});
