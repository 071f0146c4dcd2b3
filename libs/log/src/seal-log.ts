// Seals the personal values of a log that was written before they were sealed. The stored bytes change, so its hashes do too.

import { SEALED } from '@practice/core';
import type { Seal } from '@practice/core';
import type { ClientBase } from 'pg';
import type { NewEvent, Personal } from './new-event.js';
import { hashesOf } from './chain.js';
import { logTable } from './log-table.js';
import { clientsIn, sealedValues } from './personal-values.js';

/** An event as a log from before has it. */
export interface PlainEvent {
  readonly position: number;
  readonly aggregate: string;
  readonly streamId: string;
  readonly type: string;
  readonly data: object;
  readonly previous: object | null;
  readonly metadata: NewEvent['metadata'];
}

export interface LogToSeal {
  readonly service: string;
  readonly therapistId: string;
  /** Whose personal values an event has; undefined for none. Asked for each event in the order of the log. */
  personalIn(event: PlainEvent): Personal | undefined;
  /** The key of a client, which is made if it does not exist. */
  keyOf(clientId: string): Promise<Seal>;
}

const BATCH = 1_000;

/**
 * Seals a practice's personal values and computes its hashes again, in the transaction of the client, which must be that of the
 * schema's owner.
 * @returns the number of events with personal values
 */
export async function sealLog(client: ClientBase, log: LogToSeal): Promise<number> {
  const { service, therapistId } = log;
  await client.query(`SELECT FROM ${logTable(service, 'practice_head')} WHERE therapist_id = $1 FOR UPDATE`, [
    therapistId,
  ]);
  let sealed = 0;
  let after = 0;
  for (;;) {
    const { rows } = await client.query<PlainEvent>(
      `SELECT position::float8 AS position, aggregate, stream_id AS "streamId", type, data, previous, metadata
       FROM ${logTable(service, 'events')} WHERE therapist_id = $1 AND position > $2 ORDER BY position LIMIT ${BATCH}`,
      [therapistId, after],
    );
    sealed += await sealBatch(client, log, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) break;
    after = last.position;
  }
  if (sealed > 0) await chainAgain(client, log);
  return sealed;
}

async function sealBatch(client: ClientBase, log: LogToSeal, events: readonly PlainEvent[]): Promise<number> {
  const { service, therapistId } = log;
  const rows: object[] = [];
  for (const event of events) {
    const row = await sealedRow(log, event);
    if (row !== null) rows.push(row);
  }
  if (rows.length === 0) return 0;
  await client.query(
    `WITH sealed AS (SELECT * FROM json_to_recordset($2::json)
       AS r(position bigint, aggregate text, data jsonb, previous jsonb, plain_data jsonb, plain_previous jsonb)),
     opened AS (INSERT INTO ${logTable(service, 'personal_values')} (therapist_id, position, aggregate, data, previous)
       SELECT $1, position, aggregate, plain_data, plain_previous FROM sealed)
     UPDATE ${logTable(service, 'events')} AS e SET data = sealed.data, previous = sealed.previous
     FROM sealed WHERE e.therapist_id = $1 AND e.position = sealed.position`,
    [therapistId, JSON.stringify(rows)],
  );
  return rows.length;
}

/** The values of an event as the log stores them, and in plain text; null if it has nothing to seal. */
async function sealedRow(log: LogToSeal, event: PlainEvent): Promise<object | null> {
  const personal = log.personalIn(event);
  if (personal === undefined || SEALED in event.data) return null;
  const { therapistId } = log;
  const keys = new Map<string, Seal>();
  for (const clientId of clientsIn(therapistId, [{ ...event, personal }]))
    keys.set(clientId, await log.keyOf(clientId));
  const sealing = { therapistId, keyOf: (id: string): Seal => keys.get(id) as Seal };
  const data = sealedValues({ ...event, personal }, 'data', sealing);
  const previous = sealedValues({ ...event, personal }, 'previous', sealing);
  if (keys.size === 0) return null;
  return {
    ...{ position: event.position, aggregate: event.aggregate },
    ...{ data: data.stored, previous: previous.stored },
    ...{ plain_data: data.plain ?? null, plain_previous: previous.plain ?? null },
  };
}

async function chainAgain(client: ClientBase, { service, therapistId }: LogToSeal): Promise<void> {
  const events = logTable(service, 'events');
  await client.query(
    `UPDATE ${events} AS event SET hash = chained.hash FROM (
       SELECT e.therapist_id, e.position, ${hashesOf(service, `'\\x'::bytea`, 'e')} AS hash
       FROM ${events} AS e WHERE e.therapist_id = $1
     ) AS chained WHERE chained.therapist_id = event.therapist_id AND chained.position = event.position`,
    [therapistId],
  );
  await client.query(
    `UPDATE ${logTable(service, 'practice_head')} AS head SET hash = e.hash FROM ${events} AS e
     WHERE head.therapist_id = $1 AND e.therapist_id = head.therapist_id AND e.position = head.position`,
    [therapistId],
  );
}
