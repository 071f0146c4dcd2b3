import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { connect, FrameServer } from '@practice/messaging';
import { TenantDatabase } from '../storage/tenant-database.js';
import { CrossTenantConnection } from '../storage/cross-tenant-connection.js';
import { openPool } from '../storage/pool.js';
import { ServiceModule } from '../service.module.js';
import type { ServiceParts, ServiceRuntime } from '../service.module.js';
import { serveHealth } from './health.js';
import { createLogger, nestLogger, stopOnSignal } from '@practice/process';
import type { Logger } from '@practice/process';
import { readServiceConfig } from './service.config.js';
import type { ServiceConfig } from './service.config.js';

/** Runs a domain service as a process: opens its connections, serves, and on SIGTERM or SIGINT finishes what it has begun. */
export async function serve(parts: ServiceParts): Promise<void> {
  const config = readServiceConfig();
  const logger = createLogger(parts.service, config.logLevel);
  const connection = await connect({ url: config.natsUrl, name: parts.service, logger });
  const database = openDatabase(parts.service, config, logger);
  await database.isReady();
  const crossTenant = new CrossTenantConnection(parts.service, config.relayDatabaseUrl, (err) =>
    logger.error({ err }, 'follower'),
  );
  const runtime: ServiceRuntime = { config, logger, connection, database, crossTenant };
  const strategy = new FrameServer({
    connection,
    service: parts.service,
    onError: (err, head) => logger.error({ err, requestId: head?.requestId }, 'request failed'),
  });
  const app = await NestFactory.createMicroservice(ServiceModule.of(parts, runtime), {
    strategy,
    logger: nestLogger(logger),
  });
  await app.listen();
  const health = await serveHealth({
    host: config.host,
    port: config.healthPort,
    isReady: async () => connection.isUp() && (await database.isReady()),
  });
  logger.info({ health: health.url }, 'serving');
  stopOnSignal(logger, async () => {
    // Requests first, so that what they commit can still be relayed; then what they needed.
    await strategy.close();
    await health.close();
    await app.close();
    await connection.close();
    await crossTenant.close();
    await database.close();
  });
}

function openDatabase(service: string, config: ServiceConfig, logger: Logger): TenantDatabase {
  const pool = openPool({
    service,
    url: config.databaseUrl,
    connections: config.readConnections + config.writeConnections,
    onError: (err) => logger.warn({ err }, 'a database connection was lost'),
  });
  return new TenantDatabase(service, pool, config.readConnections);
}
