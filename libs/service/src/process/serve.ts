import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { keyEncryptionOf } from '@practice/log';
import { connect, createVerifier, FrameServer, whileUp } from '@practice/bus';
import { applyLedger, ErasureLedger } from '@practice/privacy';
import {
  connectionsOf,
  TenantDatabase,
  CrossTenantConnection,
  openPool,
  measurePools,
  measureReplica,
  measureRequests,
  watchOutbox,
} from '@practice/storage';
import { ServiceModule } from '../service.module.js';
import type { ServiceParts, ServiceRuntime } from '../service-parts.js';
import { logBusiest, serveMetrics } from '@practice/metrics';
import { measureLog } from './log-metrics.js';
import { measureStreams } from '@practice/projections';
import { createLogger, nestLogger, stopOnSignal, watchDisk, serveHealth, Troubles } from '@practice/process';
import type { DiskSpace, Listening, Logger } from '@practice/process';
import { startTracing } from '@practice/tracing';
import { readServiceConfig, type ServiceConfig } from '../service.config.js';

/** Runs a domain service as a process: opens its connections and serves. On SIGTERM or SIGINT it finishes its work and ends. */
export async function serve(parts: ServiceParts): Promise<void> {
  const config = readServiceConfig();
  const logger = createLogger(parts.service, config.logLevel);
  const stopTracing = await startTracing(parts.service, config.traceEndpoint);
  const bus = { url: config.natsUrl, logger };
  const requests = await connect({ ...bus, name: parts.service });
  // A separate connection: a JetStream that hangs, for example on a full disk, blocks the connection that uses it.
  const connection = await connect({ ...bus, name: `${parts.service} events` });
  const troubles = new Troubles();
  const disk = await watchDataDisk(config, troubles);
  const database = openDatabase(parts.service, config, { logger, disk });
  await database.answers();
  const crossTenant = new CrossTenantConnection(parts.service, config.relayDatabaseUrl, (err) =>
    logger.error({ err }, 'follower'),
  );
  const ledger = await openLedger(config, database, logger);
  const buses = { requests, connection };
  const runtime: ServiceRuntime = { config, logger, ...buses, database, crossTenant, ledger, troubles };
  const strategy = frameServer(parts.service, runtime);
  const module = ServiceModule.of(parts, runtime);
  const app = await NestFactory.createMicroservice(module, { strategy, logger: nestLogger(logger) });
  await app.listen();
  const health = await serveHealth({
    host: config.host,
    port: config.healthPort,
    isReady: async () => requests.isUp() && connection.isUp() && (await database.isReady()),
    troubles: () => troubles.all(),
  });
  const metrics = await measured(strategy, runtime);
  logger.info({ health: health.url, metrics: metrics.url }, 'serving');
  stopOnSignal(logger, async () => {
    disk.stop();
    // Requests end first, so that their events can still be relayed. Then their dependencies are closed.
    await strategy.close();
    await Promise.all([health.close(), metrics.close()]);
    // Events that are not yet relayed or acknowledged are relayed or delivered again later.
    await whileUp(connection, () => app.close());
    await Promise.all([requests.close(), connection.close()]);
    await crossTenant.close();
    await database.close();
    await stopTracing();
  });
}

/** Opens the ledger of erasures, and applies the erasures that the database lacks. */
async function openLedger(
  { erasuresFile }: ServiceConfig,
  database: TenantDatabase,
  logger: Logger,
): Promise<ErasureLedger> {
  const ledger = new ErasureLedger(erasuresFile);
  await ledger.checkWritable();
  const applied = await applyLedger(database, ledger);
  if (applied > 0) logger.warn({ erasures: applied }, 'erasures of the ledger were applied again');
  return ledger;
}

const diskLow = { place: 'disk', problem: 'the disk is almost full; writes are refused' };

const watchDataDisk = (config: ServiceConfig, troubles: Troubles): Promise<DiskSpace> =>
  watchDisk({
    folder: config.dataDisk,
    reserveBytes: config.diskReserveBytes,
    onLook: ({ isLow }) => troubles.set('disk', isLow ? diskLow : null),
  });

const frameServer = (service: string, { config, logger, requests }: ServiceRuntime): FrameServer =>
  new FrameServer({
    connection: requests,
    service,
    readStatement: createVerifier(config.statementKeys, service),
    onRefused: (why, head) => logger.warn({ requestId: head?.requestId, why }, 'request refused'),
    onError: (err, head) => logger.error({ err, requestId: head?.requestId }, 'request failed'),
  });

function measured(strategy: FrameServer, runtime: ServiceRuntime): Promise<Listening> {
  const { config, connection, database, crossTenant } = runtime;
  measureRequests(strategy);
  measurePools(database.pools);
  measureReplica(database);
  measureLog(database.service, crossTenant);
  measureStreams(connection);
  watchOutbox({ service: database.service, ...runtime });
  logBusiest(runtime.logger);
  return serveMetrics(config.metrics);
}

function openDatabase(
  service: string,
  config: ServiceConfig,
  { logger, disk }: { readonly logger: Logger; readonly disk: DiskSpace },
): TenantDatabase {
  const reading = { connections: config.readConnections, statementMs: config.readStatementMs };
  const pool = openPool({
    service,
    url: config.databaseUrl,
    connections: connectionsOf(service, reading) + config.writeConnections,
    onError: (err) => logger.warn({ err }, 'a database connection was lost'),
  });
  const keys = keyEncryptionOf(config.personalKeys);
  const database = new TenantDatabase(service, pool, reading, config.quotaBytes, keys, disk);
  database.useCursorKeys(config.personalKeys);
  if (config.replicaUrl !== '') useReplica(database, config, logger);
  return database;
}

/** Opens the replica. As on the primary, it has one connection more than those for quick reads. Accesses are recorded on the primary. */
function useReplica(
  database: TenantDatabase,
  { replicaUrl, readConnections }: ServiceConfig,
  logger: Logger,
): void {
  const replica = openPool({
    service: database.service,
    url: replicaUrl,
    connections: readConnections + 1,
    onError: (err) => logger.warn({ err }, 'a connection to the replica was lost'),
  });
  database.useReplica(replica, (err) =>
    logger.warn({ err }, 'the replica does not answer; the primary does'),
  );
}
