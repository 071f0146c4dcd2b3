// The streams of the bus: events and dead letters. The infrastructure user creates and updates them.
import { isDeepStrictEqual } from 'node:util';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { isProduction, type Settings } from '../settings/operator.config.js';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import { reviewVersion } from './version.js';
import { DEAD_LETTER_STREAM, eventStreamConfig, STREAM } from '@practice/contracts';

const LEAST_PAYLOAD = 2 * 1024 * 1024;
/** Milliseconds that a busy or distant server gets at the start, as Postgres does. */
const ANSWERED_WITHIN = 30_000;

/** @throws {Failure} when each event should be stored several times, but our own single server is used */
export function refuseReplicas({ NATS_URL, STREAM_REPLICAS }: Settings): void {
  if (NATS_URL === '' && STREAM_REPLICAS > 1)
    throw new Failure('STREAM_REPLICAS needs a cluster of NATS servers: name them in NATS_URL.');
}

/** Whether a server answers at `url` and accepts the credentials in it. */
export const canConnect = (url: string): Promise<boolean> =>
  withConnection(url, () => Promise.resolve(true)).catch(() => false);

/**
 * Creates the streams, or updates them.
 * @param say receives a warning about a server with known vulnerabilities
 * @throws {Failure} when the server cannot be reached, or does not offer what the services need
 */
export async function prepareStream(
  url: string,
  { say, settings }: { readonly say: (line: string) => void; readonly settings: Settings },
): Promise<void> {
  const connection = await openConnection(url, ANSWERED_WITHIN).catch((cause: unknown) => {
    throw new Failure(`NATS at ${serversIn(url).join(', ')} cannot be used: ${messageOf(cause)}`, { cause });
  });
  try {
    reviewVersion(connection.info?.version ?? '', { isProduction: isProduction(), say });
    requirePayload(connection);
    requireServerInCluster(connection, settings);
    await keepStream(connection, settings);
  } finally {
    await connection.close();
  }
}

/** Opens a connection for infrastructure work within a time in milliseconds. The connection does not reconnect. */
export function openConnection(url: string, timeout = 2000): Promise<NatsConnection> {
  const { protocol, username, password } = new URL(url.split(',')[0] as string);
  return connect({
    servers: serversIn(url),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' && { tls: {} }),
    inboxPrefix: `_INBOX.${username || 'infra'}`,
    name: 'infra',
    reconnect: false,
    timeout,
  });
}

/** Uses a connection, and closes it. @throws what `openConnection` throws */
export async function withConnection<T>(
  url: string,
  use: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(url);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** The servers of a URL, or of several that are separated by commas. */
const serversIn = (url: string): string[] => url.split(',').map((part) => new URL(part.trim()).host);

function requirePayload(connection: NatsConnection): void {
  const allowed = connection.info?.max_payload ?? 0;
  if (allowed >= LEAST_PAYLOAD) return;
  throw new Failure(
    `The NATS server lets a message be ${allowed} bytes; set its max_payload to at least ${LEAST_PAYLOAD} (2 MiB).`,
  );
}

/** A server outside of a cluster accepts a change to several replicas, but keeps one replica. */
function requireServerInCluster({ info }: NatsConnection, { STREAM_REPLICAS: replicas }: Settings): void {
  if (replicas === 1 || info?.cluster !== undefined) return;
  throw new Failure(`STREAM_REPLICAS is ${replicas}, but NATS_URL names a server that is in no cluster.`);
}

async function keepStream(connection: NatsConnection, settings: Settings): Promise<void> {
  const jetstream = await jetstreamManager(connection, { timeout: ANSWERED_WITHIN }).catch(
    (cause: unknown) => {
      throw new Failure(
        `The NATS server does not offer JetStream to this user (start it with -js): ${messageOf(cause)}`,
        {
          cause,
        },
      );
    },
  );
  const keeping = {
    maxAgeDays: settings.STREAM_MAX_AGE_DAYS,
    maxBytes: settings.STREAM_MAX_MB * 1_000_000,
    replicas: settings.STREAM_REPLICAS,
  };
  await keep(jetstream, STREAM, eventStreamConfig(keeping) as unknown as Partial<StreamConfig>);
  await keep(jetstream, DEAD_LETTER_STREAM, {
    subjects: ['practice.dead-letters.*.letter.*'],
    description: 'Messages that a subscription gave up',
    max_msgs_per_subject: 1,
    num_replicas: keeping.replicas,
  });
}

/**
 * Creates a stream on files, or updates it if its configuration differs. Without limits in `config`, the stream drops no message: if
 * it cannot store a message, it refuses the message.
 */
async function keep(jetstream: JetStreamManager, name: string, config: Partial<StreamConfig>): Promise<void> {
  const lasting = {
    max_age: 0,
    max_bytes: -1,
    discard: DiscardPolicy.New,
    ...config,
    max_msgs: -1,
    max_msg_size: -1,
  };
  const existing = await jetstream.streams.info(name).catch(unlessMissing);
  if (existing !== undefined) {
    // The server gives an updated stream another creation time at its next start (https://github.com/nats-io/nats-server/issues/8470), as if it were a new stream.
    if (!isContainedIn(existing.config, lasting))
      await jetstream.streams.update(name, lasting).catch(refused(name));
  } else {
    const fixed = { name, storage: StorageType.File, retention: RetentionPolicy.Limits };
    await jetstream.streams
      .add({ ...lasting, ...fixed, subjects: config.subjects ?? [] })
      .catch(refused(name));
  }
}

/** A server that does not answer may have the stream. */
function unlessMissing(cause: unknown): undefined {
  if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound) return undefined;
  throw new Failure(`The NATS server does not show its streams: ${messageOf(cause)}`, { cause });
}

const refused =
  (name: string) =>
  (cause: unknown): never => {
    const hint = 'STREAM_REPLICAS must not exceed the number of servers of the cluster';
    throw new Failure(`NATS refuses the stream ${name}: ${messageOf(cause)} (${hint})`, { cause });
  };

const isContainedIn = (config: StreamConfig, wanted: Partial<StreamConfig>): boolean =>
  isDeepStrictEqual({ ...config, ...wanted }, config);
