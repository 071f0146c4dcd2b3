// Events that have left the stream because of their age or its size. The logs still have them. A subscriber that needs them asks the services
// that own the logs to publish them again, and reads the stream from the point where that begins.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import { REFILL, serviceNames, type RefillAnswer, type RefillQuestion } from '@practice/contracts';
import { createRequester, type Requester } from '../messaging/requester.js';
import type { Connection } from '../messaging/connection.js';
import { streamsOf } from './consumers.js';
import { STREAM } from './envelope.js';

/** Thrown when the service that owns the needed events cannot be asked now. */
export class OwnerUnavailable extends Error {}

const ANSWER_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 200;

/** Whether events may have left the stream because of their age or its size. */
export const isTrimmed = ({ config, state }: StreamInfo): boolean =>
  (config.max_age > 0 || config.max_bytes > 0) && state.first_seq > 1;

/** Whether events may have left the stream of this connection's server because of their age or its size. */
export async function hasLostPast(connection: Connection): Promise<boolean> {
  return isTrimmed(await (await streamsOf(connection)).streams.info(STREAM));
}

/**
 * Asks the owners of these subjects to publish their events again, in order within each practice.
 * @param since only events recorded at this time or later
 * @throws {OwnerUnavailable} when an owner does not answer; asking again is safe
 */
export async function askForPast(
  connection: Connection,
  subjects: readonly string[],
  since: string | null = null,
) {
  const streams = await streamsOf(connection);
  // Read before the owners are asked, so that all events that they publish again come after this sequence.
  const { state } = await streams.streams.info(STREAM);
  const owners = ownersOf(subjects);
  const id = randomUUID();
  await askAll(connection, owners, { id, kind: 'ask', since });
  return {
    /** The events come after this sequence of the stream. */
    after: state.last_seq,
    /** Resolves when the stream has all these events. @throws {OwnerUnavailable} */
    async arrived(): Promise<void> {
      while (!(await askAll(connection, owners, { id, kind: 'look', since }))) await pause(LOOK_EVERY_MS);
    },
  };
}

/** The services whose events these subjects match. Other publishers are left out: they have no log to publish from again. */
export function ownersOf(subjects: readonly string[]): readonly string[] {
  const named = new Set(subjects.map((subject) => subject.split('.')[2]));
  return serviceNames.filter((service) => named.has('*') || named.has(service));
}

/** @returns whether all owners have published the requested events again */
async function askAll(
  connection: Connection,
  owners: readonly string[],
  question: RefillQuestion,
): Promise<boolean> {
  const requester = createRequester({ connection, user: connection.user, timeoutMs: ANSWER_WITHIN_MS });
  try {
    const answers = await Promise.all(owners.map((owner) => ask(requester, owner, question)));
    return answers.every(({ isDone }) => isDone);
  } finally {
    requester.close();
  }
}

async function ask(requester: Requester, owner: string, question: RefillQuestion): Promise<RefillAnswer> {
  const envelope = { op: REFILL, requestId: question.id };
  const reply = await requester.request(owner, envelope, JSON.stringify(question)).catch((cause: unknown) => {
    throw new OwnerUnavailable(`older events are needed from ${owner}, which is unavailable`, { cause });
  });
  if (reply.status !== 200)
    throw new OwnerUnavailable(`older events are needed from ${owner}, which answered ${reply.status}`);
  return JSON.parse(reply.body.toString()) as RefillAnswer;
}
