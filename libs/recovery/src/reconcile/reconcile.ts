// Makes a log and the stream consistent after an older copy of the database was restored. The service must not run in the meantime.

import { aggregatesOf } from '@practice/contracts';
import {
  addRestorations,
  findLoss,
  latestEpoch,
  latestOf,
  practicesOf,
  relayed,
  tryLeaderLock,
} from '@practice/log';
import type { Restoration } from '@practice/log';
import { createPublisher, deleteMessages, redeliverAfter, type Connection } from '@practice/bus';
import { followedOf } from '@practice/storage';
import type { Client } from 'pg';
import { restoredEvents } from '../republish/events-again.js';
import { compare, type Comparison } from './undone.js';

export interface ReconcileInput {
  readonly service: string;
  /** A connection as the owner of the schema. */
  readonly client: Client;
  /** A connection as the NATS user that may do everything. */
  readonly connection: Connection;
  /** Whether to begin an epoch in every practice, even if the stream has no undone events. */
  readonly everywhere: boolean;
}

/**
 * Looks for events in the stream that the log does not have. Their practices begin a new epoch, events about it are published, and
 * the messages are deleted.
 * @returns the numbers of practices whose logs were restored, and of messages that were deleted
 * @throws {Error} when a relay of the service runs, or the stream does not accept the events; calling it again is safe
 */
export async function reconcile(input: ReconcileInput) {
  const { service, client, connection, everywhere } = input;
  if (!(await tryLeaderLock(client, service))) throw new Error(`a process of ${service} runs: stop it first`);
  const stream = createPublisher({ connection, service });
  const created = await stream.id();
  const loss = await findLoss(client, service, (message) => stream.holds(message));
  const found = await compare(client, service, { connection, stream: created });
  const isRestored = everywhere || found.undone.length > 0;
  const heads = isRestored ? await practicesOf(client, service) : new Map<string, number>();
  const restorations = restorationsFrom(found.undone, {
    ...{ heads, everywhere },
    known: await latestEpoch(client, service),
  });
  await addRestorations(client, service, restorations);
  const told = restorations.flatMap((one) => restoredEvents(service, one, aggregatesOf(service)));
  const messages = await stream.publish(told);
  if (messages.includes(null)) throw new Error('the stream does not take the events about the restoration');
  // The last step: if the process ends before it, the next comparison finds the messages again.
  await deleteMessages(
    connection,
    found.undone.map(({ sequence }) => sequence),
  );
  // Not noted after a loss: with a note, the relay would not publish the lost events again.
  if (loss.kind === 'none') await noteLast(input, { created, found, last: latestOf(messages) });
  return { practices: restorations.length, undone: found.undone.length };
}

interface Past {
  /** The last position of each practice's log. */
  readonly heads: ReadonlyMap<string, number>;
  readonly everywhere: boolean;
  /** The latest epoch in the log. */
  readonly known: number;
}

/** The restoration of each practice: the last position that still counts, and an epoch that is later than any other. */
function restorationsFrom(
  undone: Comparison['undone'],
  { heads, everywhere, known }: Past,
): readonly Restoration[] {
  const after = new Map(everywhere ? heads : []);
  let latest = known;
  for (const { event } of undone) {
    latest = Math.max(latest, event.epoch ?? 0);
    // Not only from the undone events: earlier ones may already have left the stream.
    const first = after.get(event.therapistId) ?? heads.get(event.therapistId) ?? 0;
    after.set(event.therapistId, Math.min(first, event.position - 1));
  }
  const epoch = Math.max(latest + 1, Math.floor(Date.now() / 1000));
  return [...after].map(([therapistId, position]) => ({ therapistId, epoch, after: position }));
}

interface Noted {
  readonly created: string;
  readonly found: Comparison;
  readonly last: { readonly stream: string; readonly sequence: number; readonly eventId: string } | null;
}

/** Notes the last message of the stream, so that the next comparison begins after it. */
async function noteLast({ client, service }: ReconcileInput, { created, found, last }: Noted): Promise<void> {
  const compared = found.last && {
    stream: created,
    sequence: found.last.sequence,
    eventId: found.last.event.metadata.eventId,
  };
  const message = last ?? compared;
  if (message === null) return;
  const since = found.since ?? new Date().toISOString();
  const { text, values } = relayed(service, { outboxIds: [], last: message, since });
  await client.query(text, values as unknown[]);
}

/**
 * Makes JetStream deliver again the events that it counts as handled but the mirror does not have.
 * @returns the names of the subscriptions that get events again
 */
export async function redeliverToFollowers(
  client: Client,
  service: string,
  { connection, names }: { readonly connection: Connection; readonly names: readonly string[] },
): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<{ subscription: string; stream: string; sequence: number }>(
    `SELECT subscription, stream, sequence::float8 AS sequence FROM ${followedOf(service)}`,
  );
  const behind: string[] = [];
  for (const name of names) {
    const noted = rows.find(({ subscription }) => subscription === name);
    if (await redeliverAfter(connection, name, noted ?? null)) behind.push(name);
  }
  return behind;
}
