// Erases what the bus still has of a client, or of a whole practice. The messages of every record with erased values are deleted, and the events of these records
// are published again, with null in place of the values: a subscriber that begins later needs all events of a record, in order.

import { setTimeout as pause } from 'node:timers/promises';
import { resourcesOf } from '@practice/contracts';
import { logTable, noteDeletions, withOpenClient } from '@practice/log';
import { createPublisher, deleteDeadLetters, deleteMessages, replay, subjectOf } from '@practice/bus';
import type { PublishedEvent, Connection } from '@practice/bus';
import { personalOf } from '@practice/resource';
import type { CrossTenantConnection } from '@practice/storage';
import { isAffected, type Erasing } from './erasing.js';

export interface BusErasure {
  readonly connection: Connection;
  readonly crossTenant: Pick<CrossTenantConnection, 'run'>;
  /** Connection string of the relay's role. */
  readonly relayUrl: string;
  /** Publishes the events of these records of a practice again. */
  readonly republish: (erasing: Erasing, records: ReadonlySet<string>) => Promise<unknown>;
}

const LOOK_EVERY_MS = 50;

/** Erases a client, or a whole practice, from the bus, after the erasure from the database. It may be repeated. @returns the number of deleted messages */
export async function eraseFromBus(tools: BusErasure, erasing: Erasing): Promise<number> {
  const { connection } = tools;
  const { service, therapistId } = erasing;
  const records = await affectedRecords(tools, erasing);
  if (records.size === 0) return 0;
  await published(tools, erasing);
  const isMeant = (event: PublishedEvent): boolean =>
    event.service === service && event.therapistId === therapistId && records.has(event.streamId);
  await deleteDeadLetters(connection, (event) => isMeant(event) && hasValues(event));
  const { plain, versions } = await messagesOf(tools, erasing, isMeant);
  const sequences = [...plain].flatMap(
    (record) => versions.get(record)?.map(({ sequence }) => sequence) ?? [],
  );
  await noteDeleted(tools, erasing, sequences);
  await deleteMessages(connection, sequences);
  // A process may have stopped after it deleted messages: their events are published again by the next one.
  const lacking = [...records].filter(([record, count]) => {
    const kept = plain.has(record) ? [] : (versions.get(record) ?? []);
    return new Set(kept.map(({ version }) => version)).size < count;
  });
  if (lacking.length > 0) await tools.republish(erasing, new Set(lacking.map(([record]) => record)));
  return sequences.length;
}

/** The records with erased values, each with the number of its events. */
async function affectedRecords(
  { crossTenant }: BusErasure,
  erasing: Erasing,
): Promise<ReadonlyMap<string, number>> {
  const events = logTable(erasing.service, 'events');
  const rows = await crossTenant.run({
    text: `SELECT o.stream_id, count(*) FROM ${events} AS o WHERE o.therapist_id = $1 AND (o.aggregate, o.stream_id) IN (
  SELECT e.aggregate, e.stream_id FROM ${events} AS e WHERE e.therapist_id = $1 AND ${isAffected(erasing)}
) GROUP BY o.aggregate, o.stream_id`,
    values: [erasing.therapistId, erasing.client],
  });
  return new Map(rows.map(([record, count]) => [String(record), Number(count)]));
}

/** Waits until the relay has published every event from before: it may have read their values before they were erased. */
async function published({ crossTenant }: BusErasure, { service, therapistId }: Erasing): Promise<void> {
  const text = `SELECT max(id) FROM ${logTable(service, 'outbox')} WHERE therapist_id = $1`;
  const [[last] = []] = await crossTenant.run({ text, values: [therapistId] });
  if (last == null) return;
  for (;;) {
    const waiting = `SELECT 1 FROM ${logTable(service, 'outbox')} WHERE therapist_id = $1 AND id <= $2::bigint LIMIT 1`;
    if ((await crossTenant.run({ text: waiting, values: [therapistId, last] })).length === 0) return;
    await pause(LOOK_EVERY_MS);
  }
}

interface Message {
  readonly sequence: number;
  readonly version: number;
}

/** The messages of the records, and the records that have a message with values. */
async function messagesOf(
  { connection }: BusErasure,
  { service, therapistId }: Erasing,
  isMeant: (event: PublishedEvent) => boolean,
): Promise<{ readonly plain: ReadonlySet<string>; readonly versions: ReadonlyMap<string, Message[]> }> {
  const plain = new Set<string>();
  const versions = new Map<string, Message[]>();
  const subjects = [subjectOf({ service, therapistId })];
  for await (const { sequence, event } of replay({ connection, subjects, consumer: `${service}~replay` })) {
    if (!isMeant(event)) continue;
    const { streamId, version } = event;
    versions.set(streamId, [...(versions.get(streamId) ?? []), { sequence, version }]);
    if (hasValues(event)) plain.add(streamId);
  }
  return { plain, versions };
}

/** Whether an event has a personal value. Values of another client count too: they are published again with the rest. */
function hasValues({ service, aggregate, data }: PublishedEvent): boolean {
  const resource = resourcesOf(service).find((one) => one.aggregate === aggregate);
  const names = (resource && personalOf(resource)?.names) ?? [];
  return names.some((name) => (data as Readonly<Record<string, unknown>>)[name] != null);
}

/** Before the deletion: the relay compares its notes with the stream, and would take these messages for lost ones. */
async function noteDeleted(
  { connection, relayUrl }: BusErasure,
  { service }: Erasing,
  sequences: readonly number[],
): Promise<void> {
  if (sequences.length === 0) return;
  const stream = await createPublisher({ connection, service }).id();
  const config = { connectionString: relayUrl, application_name: `${service} erasure` };
  await withOpenClient(config, (client) => noteDeletions(client, service, { stream, sequences }));
}
