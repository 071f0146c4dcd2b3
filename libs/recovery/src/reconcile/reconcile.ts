// Brings a log and the stream together again after an older copy of the database was restored. No service may run meanwhile.

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
import { createPublisher, deleteMessages, type Connection } from '@practice/bus';
import type { Client } from 'pg';
import { restoredEvents } from '../republish/restored-event.js';
import { compare, type Comparison } from './undone.js';

export interface ReconcileInput {
  readonly service: string;
  /** Connected as the owner of the schema. */
  readonly client: Client;
  /** Connected as the NATS user without limits. */
  readonly connection: Connection;
  /** Begins an epoch in every practice, although the stream may have no undone events. */
  readonly everywhere: boolean;
}

export interface ReconcileReport {
  /** Practices whose logs were restored. */
  readonly practices: number;
  /** Messages of undone events, which the stream has no more. */
  readonly undone: number;
}

/**
 * Looks for events in the stream that the log does not have. Their practices begin an epoch, an event about it is
 * published, and the messages are deleted.
 * @throws {Error} when a relay of the service runs, or the stream does not take the events; it can be called again
 */
export async function reconcile(input: ReconcileInput): Promise<ReconcileReport> {
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
  // Last: if this ends before, the next comparison finds the messages again.
  await deleteMessages(
    connection,
    found.undone.map(({ sequence }) => sequence),
  );
  // With a note, the relay would not publish again what the stream has lost.
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

/** The first position of each practice that the log does not have, in an epoch later than any other. */
function restorationsFrom(
  undone: Comparison['undone'],
  { heads, everywhere, known }: Past,
): readonly Restoration[] {
  const after = new Map(everywhere ? heads : []);
  let latest = known;
  for (const { event } of undone) {
    latest = Math.max(latest, event.epoch ?? 0);
    // Undone events that were in between may have left the stream.
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

/** Notes what the stream has, so that the next comparison begins behind it. */
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
