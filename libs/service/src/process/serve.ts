import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { connect, FrameServer } from '@practice/messaging';
import { resourcesOf } from '@practice/contracts';
import { dataSourceOf } from '../storage/data-source.js';
import { Database } from '../storage/database.js';
import { EveryPractice } from '../storage/every-practice.js';
import { ServiceModule } from '../service.module.js';
import type { ServiceParts, ServiceRuntime } from '../service.module.js';
import { createLogger, nestLogger } from './logging.js';
import { readServiceConfig } from './service.config.js';
import { stopOnSignal } from './stop.js';

/** Runs a domain service as a process: opens its connections, serves, and on SIGTERM or SIGINT finishes what it has begun. */
export async function serve(parts: ServiceParts): Promise<void> {
  const config = readServiceConfig();
  const logger = createLogger(parts.service, config.logLevel);
  const connection = await connect({ url: config.natsUrl, name: parts.service, logger });
  const database = await openDatabase(parts.service, config);
  const everywhere = new EveryPractice(parts.service, config.relayDatabaseUrl, (err) =>
    logger.error({ err }, 'follower'),
  );
  const runtime: ServiceRuntime = { config, logger, connection, database, everywhere };
  const app = await NestFactory.create(ServiceModule.of(parts, runtime), new FastifyAdapter(), {
    logger: nestLogger(logger),
  });
  const strategy = new FrameServer({
    connection,
    service: parts.service,
    onError: (err, head) => logger.error({ err, requestId: head?.requestId }, 'request failed'),
  });
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(config.healthPort, config.host);
  logger.info({ health: await app.getUrl() }, 'serving');
  stopOnSignal(logger, async () => {
    // Requests first, so that what they commit can still be relayed; then what they needed.
    await strategy.close();
    await app.close();
    await connection.close();
    await everywhere.close();
    await database.close();
  });
}

async function openDatabase(service: string, config: ServiceRuntime['config']): Promise<Database> {
  const dataSource = dataSourceOf({
    service,
    url: config.databaseUrl,
    resources: resourcesOf(service),
    connections: config.readConnections + config.writeConnections,
    pipeline: true,
  });
  return new Database(service, await dataSource.initialize(), config.readConnections);
}
