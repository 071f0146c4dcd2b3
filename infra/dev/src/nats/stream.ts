// The streams of the bus: events, and dead letters. Infrastructure creates and updates them.
import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { Failure, messageOf } from '../failure.js';
import { DEAD_LETTER_STREAM, STREAM } from '@practice/contracts';

const LEAST_PAYLOAD = 2 * 1024 * 1024;

/** Whether a server answers at `url` and accepts the credentials in it. */
export async function canConnect(url: string): Promise<boolean> {
  try {
    const connection = await open(url);
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates the streams, or updates them.
 * @throws {Failure} when the server cannot be reached, or does not offer what the services need
 */
export async function prepareStream(url: string): Promise<void> {
  const connection = await open(url).catch((cause: unknown) => {
    throw new Failure(`NATS at ${new URL(url).host} cannot be used: ${messageOf(cause)}`, { cause });
  });
  try {
    requirePayload(connection);
    await keepStream(connection);
  } finally {
    await connection.close();
  }
}

function open(url: string): Promise<NatsConnection> {
  const { protocol, host, username, password } = new URL(url);
  return connect({
    servers: host,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' && { tls: {} }),
    inboxPrefix: `_INBOX.${username || 'infra'}`,
    name: 'infra',
    reconnect: false,
    timeout: 2000,
  });
}

function requirePayload(connection: NatsConnection): void {
  const allowed = connection.info?.max_payload ?? 0;
  if (allowed >= LEAST_PAYLOAD) return;
  throw new Failure(
    `The NATS server lets a message be ${allowed} bytes; set its max_payload to at least ${LEAST_PAYLOAD} (2 MiB).`,
  );
}

async function keepStream(connection: NatsConnection): Promise<void> {
  const jetstream = await jetstreamManager(connection, { timeout: 5000 }).catch((cause: unknown) => {
    throw new Failure(
      `The NATS server does not offer JetStream to this user (start it with -js): ${messageOf(cause)}`,
      {
        cause,
      },
    );
  });
  const existing = await jetstream.streams.info(STREAM, { subjects_filter: OLD_SUBJECTS }).catch(() => null);
  if (existing !== null) refuseOldSubjects(existing);
  await keep(jetstream, STREAM, {
    subjects: ['practice.events.>'],
    description: 'Every event of every practice, as its service recorded it',
    // Covers a relay that publishes again after a lost acknowledgement. Consumers recognise older repetitions by version.
    duplicate_window: nanos(120_000),
  });
  await keep(jetstream, DEAD_LETTER_STREAM, {
    subjects: ['practice.dead-letters.*.letter.*'],
    description: 'Messages that a subscription gave up',
    max_msgs_per_subject: 1,
  });
}

/** Creates a stream on files, or updates it. It drops nothing: a stream that cannot take a message refuses it. */
async function keep(jetstream: JetStreamManager, name: string, config: Partial<StreamConfig>): Promise<void> {
  const lasting = {
    ...config,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_bytes: -1,
    max_msgs: -1,
    max_msg_size: -1,
  };
  const exists = await jetstream.streams.info(name).then(
    () => true,
    () => false,
  );
  if (exists) await jetstream.streams.update(name, lasting);
  else {
    const fixed = { name, storage: StorageType.File, retention: RetentionPolicy.Limits };
    await jetstream.streams.add({ ...lasting, ...fixed, subjects: config.subjects ?? [] });
  }
}

/** Subjects before 0.2 had no practice in them. */
const OLD_SUBJECTS = 'practice.events.*.*.*';

/** @throws {Failure} when the stream holds events that subscriptions of this version would not see */
function refuseOldSubjects({ state }: StreamInfo): void {
  if (Object.keys(state.subjects ?? {}).length === 0) return;
  throw new Failure(
    `The stream ${STREAM} holds events of an older, unreleased version. Start with an empty DATA_DIR, or delete the ` +
      'stream and run "npm run events -- republish" for each service.',
  );
}
