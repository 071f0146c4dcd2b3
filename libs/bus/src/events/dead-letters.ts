// Dead letters: messages that a subscription gave up. They are kept in a separate stream until an operator retries or discards them.

import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import { headers, RequestError, TimeoutError } from '@nats-io/transport-node';
import { DEAD_LETTER_STREAM } from '@practice/contracts';
import type { Connection } from '../messaging/connection.js';
import { ifFound, streamsOf } from './consumers.js';
import { CONTENT_TYPE } from './envelope.js';

const PREFIX = 'practice.dead-letters';

/** The subjects for a subscription's dead letters. `*` as the subscription means all subscriptions. */
export const deadLetterSubjects = (subscription: string) => ({
  /** One message per dead letter, with the event's sequence as the last token. */
  letter: (sequence: number | '*') => `${PREFIX}.${subscription}.letter.${sequence}`,
  /** Requests to handle a dead letter again. The process that serves the subscription listens. */
  retry: `${PREFIX}.${subscription}.retry`,
  /** The result of a retry request. */
  result: (id: string) => `${PREFIX}.${subscription}.result.${id}`,
});

/** A message that a subscription gave up. */
export interface DeadLetter {
  /** `<subscription>:<sequence in the event stream>` */
  readonly id: string;
  readonly subscription: string;
  /** The subject of the message. */
  readonly subject: string;
  /** The unchanged data of the message: a CloudEvent in JSON, unless it was unreadable. */
  readonly data: Uint8Array;
  readonly error: string;
  /** How many times the handler was called; 0 for a message that could not be read. */
  readonly attempts: number;
  /** When the subscription gave up the message: ISO 8601. */
  readonly time: string;
}

export interface FailedMessage extends Omit<DeadLetter, 'id' | 'error' | 'time'> {
  readonly sequence: number;
  readonly error: unknown;
}

/**
 * Stores a message as a dead letter. An earlier dead letter of the same message is replaced.
 * @returns its id
 * @throws {Error} when the stream of dead letters does not accept it
 */
export async function storeDeadLetter({ nats }: Connection, failed: FailedMessage): Promise<string> {
  const { subscription, sequence, subject, data, error, attempts } = failed;
  const fields = headers();
  fields.set('content-type', CONTENT_TYPE);
  fields.set('subject', subject);
  fields.set('attempts', String(attempts));
  fields.set('error', oneLine(error));
  await jetstream(nats).publish(deadLetterSubjects(subscription).letter(sequence), data, {
    headers: fields,
    expect: { streamName: DEAD_LETTER_STREAM },
  });
  return `${subscription}:${sequence}`;
}

/** The error as one line, since a header value cannot have more. */
const oneLine = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    .replace(/\s+/g, ' ')
    .slice(0, 1_000);

/** The subjects of the dead letters of all subscriptions, or of one subscription, each with its number of messages. */
export async function letterSubjects(
  connection: Connection,
  subscription = '*',
): Promise<Readonly<Record<string, number>>> {
  const { streams } = await streamsOf(connection);
  const filter = deadLetterSubjects(subscription).letter('*');
  const { state } = await streams.info(DEAD_LETTER_STREAM, { subjects_filter: filter });
  return state.subjects ?? {};
}

/** The dead letters of all subscriptions, or of one subscription, oldest first. */
export async function listDeadLetters(connection: Connection, subscription?: string): Promise<DeadLetter[]> {
  const { streams } = await streamsOf(connection);
  const letters: DeadLetter[] = [];
  for (const subject of Object.keys(await letterSubjects(connection, subscription))) {
    const letter = await read(streams, subject);
    if (letter !== undefined) letters.push(letter);
  }
  return letters.sort((one, other) => one.time.localeCompare(other.time));
}

/** The dead letter with this id, or undefined. */
export async function findDeadLetter(connection: Connection, id: string): Promise<DeadLetter | undefined> {
  const { streams } = await streamsOf(connection);
  return read(streams, subjectOfLetter(id));
}

/** Deletes a dead letter. @returns whether there was one */
export async function discardDeadLetter(connection: Connection, id: string): Promise<boolean> {
  const { streams } = await streamsOf(connection);
  const { purged } = await streams.purge(DEAD_LETTER_STREAM, { filter: subjectOfLetter(id) });
  return purged > 0;
}

/**
 * Asks the process that serves the subscription to handle a dead letter again, and deletes the dead letter if that succeeds.
 * @throws {Error} with the handler's error when it fails again, or when no process serves the subscription
 */
export async function retryDeadLetter(connection: Connection, letter: DeadLetter): Promise<void> {
  const { subscription, subject, data, id } = letter;
  const { retry, result } = deadLetterSubjects(subscription);
  const fields = headers();
  fields.set('subject', subject);
  const reply = result(`${process.pid}-${performance.now().toString(36).replace('.', '')}`);
  const asked = { headers: fields, reply, noMux: true, timeout: RETRY_WITHIN_MS };
  const answer = await connection.nats.request(retry, data, asked).catch((cause: unknown) => {
    const isUnserved = cause instanceof RequestError && cause.isNoResponders();
    if (!isUnserved && !(cause instanceof TimeoutError)) throw cause;
    const why = isUnserved
      ? `no process serves the subscription '${subscription}'; start it and retry`
      : `the subscription '${subscription}' did not handle it within ${RETRY_WITHIN_MS / 1000} s; is it running?`;
    throw new Error(why, { cause });
  });
  const error = answer.string();
  if (error !== '') throw new Error(error);
  await discardDeadLetter(connection, id);
}

const RETRY_WITHIN_MS = 30_000;

/** The subject of the dead letter with the id `<subscription>:<sequence>`. @throws {Error} for an id of another form */
function subjectOfLetter(id: string): string {
  const [, subscription, sequence] = /^([A-Za-z0-9_-]+):(\d+)$/.exec(id) ?? [];
  if (subscription === undefined) throw new Error(`'${id}' is not the id of a dead letter`);
  return deadLetterSubjects(subscription).letter(Number(sequence));
}

async function read(streams: JetStreamManager['streams'], subject: string): Promise<DeadLetter | undefined> {
  const message = await ifFound(streams.getMessage(DEAD_LETTER_STREAM, { last_by_subj: subject }));
  if (message == null) return undefined;
  const [, , subscription = '', , sequence = ''] = message.subject.split('.');
  return {
    id: `${subscription}:${sequence}`,
    subscription,
    subject: message.header.get('subject'),
    data: message.data,
    error: message.header.get('error'),
    attempts: Number(message.header.get('attempts')),
    time: message.time.toISOString(),
  };
}
