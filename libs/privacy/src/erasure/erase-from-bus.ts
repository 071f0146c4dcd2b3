// Erases the values of erased clients of a practice from the bus. The messages of every record with erased values are deleted.
// The events of these records are published again, with null as the values: a later subscriber needs all events of a record, in order.

import { setTimeout as pause } from 'node:timers/promises';
import { resourceOf } from '@practice/contracts';
import { busy, reject } from '@practice/core';
import { logTable, noteDeletions, waitForLock, withOpenClient } from '@practice/log';
import { createPublisher, deleteDeadLetters, deleteMessages, replay, subjectOf } from '@practice/bus';
import type { PublishedEvent, Connection } from '@practice/bus';
import { personalOf } from '@practice/resource';
import type { CrossTenantConnection } from '@practice/storage';
import type { Client } from 'pg';
import { isAffected, type Erasing } from './erasing.js';

export interface BusErasure {
  readonly connection: Connection;
  readonly crossTenant: Pick<CrossTenantConnection, 'run'>;
  /** The connection string of the relay's role. */
  readonly relayUrl: string;
  /** Publishes the events of these records of a practice again. */
  readonly republish: (erasing: BusErasing, records: ReadonlySet<string>) => Promise<unknown>;
}

/** The values to erase from the bus. */
export interface BusErasing extends Pick<Erasing, 'service' | 'therapistId'> {
  /** Ids of clients, and `all` as in `Erasing`. */
  readonly clients: readonly string[];
}

const LOOK_EVERY_MS = 50;
const PUBLISHED_WITHIN_MS = 5_000;

/**
 * Erases from the bus, after the erasure from the database. It may be repeated.
 * @returns the number of deleted messages
 * @throws {Rejection} `PM503` if the relay does not publish the events of the practice within 5 s
 */
export async function eraseFromBus(tools: BusErasure, erasing: BusErasing): Promise<number> {
  const { service } = erasing;
  const records = await affectedRecords(tools, erasing);
  if (records.size === 0) return 0;
  const config = { connectionString: tools.relayUrl, application_name: `${service} erasure` };
  return withOpenClient(config, async (client) => {
    // The processes of a service share one consumer for this.
    await waitForLock(client, `erasure ${service}`);
    return eraseRecords(tools, erasing, { client, records });
  });
}

interface Work {
  readonly client: Client;
  /** The number of events of each record. */
  readonly records: ReadonlyMap<string, number>;
}

async function eraseRecords(
  tools: BusErasure,
  erasing: BusErasing,
  { client, records }: Work,
): Promise<number> {
  const { connection } = tools;
  const { service, therapistId } = erasing;
  await published(tools, erasing);
  const isMeant = (event: PublishedEvent): boolean =>
    event.service === service && event.therapistId === therapistId && records.has(event.streamId);
  await deleteDeadLetters(connection, (event) => isMeant(event) && hasValues(event));
  const { plain, versions } = await messagesOf(tools, erasing, isMeant);
  const sequences = [...plain].flatMap(
    (record) => versions.get(record)?.map(({ sequence }) => sequence) ?? [],
  );
  // Noted before the deletion: the relay compares its notes with the stream, and would otherwise count the messages as lost.
  const stream = await createPublisher({ connection, service }).id();
  await noteDeletions(client, service, { stream, sequences });
  await deleteMessages(connection, sequences);
  // A process may have stopped after it deleted messages. Then the next process publishes their events again.
  const lacking = [...records].filter(([record, count]) => {
    const kept = plain.has(record) ? [] : (versions.get(record) ?? []);
    return new Set(kept.map(({ version }) => version)).size < count;
  });
  if (lacking.length > 0) await tools.republish(erasing, new Set(lacking.map(([record]) => record)));
  return sequences.length;
}

/** The number of events of each record with erased values. */
async function affectedRecords(
  { crossTenant }: BusErasure,
  { service, therapistId, clients }: BusErasing,
): Promise<ReadonlyMap<string, number>> {
  const events = logTable(service, 'events');
  const rows = await crossTenant.run({
    text: `SELECT o.stream_id, count(*) FROM ${events} AS o WHERE o.therapist_id = $1 AND (o.aggregate, o.stream_id) IN (
  SELECT e.aggregate, e.stream_id FROM ${events} AS e WHERE e.therapist_id = $1 AND ${isAffected}
) GROUP BY o.aggregate, o.stream_id`,
    values: [therapistId, clients],
  });
  return new Map(rows.map(([record, count]) => [String(record), Number(count)]));
}

/** Waits until the relay has published all earlier events, because it may have read their values before these were erased. */
async function published({ crossTenant }: BusErasure, { service, therapistId }: BusErasing): Promise<void> {
  const text = `SELECT max(id) FROM ${logTable(service, 'outbox')} WHERE therapist_id = $1`;
  const [[last] = []] = await crossTenant.run({ text, values: [therapistId] });
  if (last == null) return;
  for (const end = Date.now() + PUBLISHED_WITHIN_MS; ;) {
    const waiting = `SELECT 1 FROM ${logTable(service, 'outbox')} WHERE therapist_id = $1 AND id <= $2::bigint LIMIT 1`;
    if ((await crossTenant.run({ text: waiting, values: [therapistId, last] })).length === 0) return;
    // The erasures of other practices wait for this one.
    if (Date.now() > end) reject(busy);
    await pause(LOOK_EVERY_MS);
  }
}

interface Message {
  readonly sequence: number;
  readonly version: number;
}

/** The messages of each record (`versions`), and the records that have a message with values (`plain`). */
async function messagesOf(
  { connection }: BusErasure,
  { service, therapistId }: BusErasing,
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

/** Whether an event has a personal value. Values of another client count too. They are published again with the rest. */
function hasValues(event: PublishedEvent): boolean {
  const resource = resourceOf(event);
  const names = (resource && personalOf(resource)?.names) ?? [];
  return names.some((name) => (event.data as Readonly<Record<string, unknown>>)[name] != null);
}
