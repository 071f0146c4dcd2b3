// The mirrored records according to the stream, in two temporary tables: one has their events, the other their state at every
// version. Tables can hold any number of records, and tolerate events that were published late or more than once.

import type { Replayed } from '@practice/bus';
import { catalog } from '@practice/contracts';
import { logTable } from '@practice/log';
import { upcast, type Fact, type Resource, type Row } from '@practice/resource';
import type { Client } from 'pg';
import { inBatches } from '../../in-batches.js';
import { resourceOfEvent, withoutValues } from '@practice/projections';
import { mirrored, narrowed } from '@practice/mirror';
import type { Mirrored } from '@practice/storage';

export interface History {
  readonly client: Client;
  /** The service with the mirror. */
  readonly service: string;
  readonly columns: Mirrored;
}

const BATCH = 1000;
const RECORD = 'therapist_id, resource, id';
const FACTS = `therapist_id uuid, resource text, id uuid, version integer, sequence bigint, type text, "recordedAt" text, data jsonb`;
const STATES = `therapist_id uuid, resource text, id uuid, version integer, sequence bigint, data jsonb`;

/** Creates the temporary tables. They are dropped when the connection ends. */
export async function openHistory({ client }: History): Promise<void> {
  await client.query(`CREATE TEMPORARY TABLE facts (${FACTS}, PRIMARY KEY (${RECORD}, version))`);
  await client.query(`CREATE TEMPORARY TABLE states (${STATES}, PRIMARY KEY (${RECORD}, version))`);
}

/** Adds events. @returns the sequence of the last event, or 0 without events */
export async function addToHistory(history: History, events: AsyncIterable<Replayed>): Promise<number> {
  let last = 0;
  for await (const batch of inBatches(events, BATCH)) {
    last = batch.at(-1)?.sequence ?? last;
    const facts = batch.flatMap((message) => factOf(history, message));
    await insert(history, 'facts', facts);
  }
  return last;
}

/** The fact of a message; empty for an event of a record that is not mirrored. */
function factOf({ columns }: History, { sequence, event }: Replayed): object[] {
  const resource = resourceOfEvent(event);
  const mirroredColumns = columns[resource?.name ?? ''];
  if (resource === undefined || mirroredColumns === undefined) return [];
  const { therapistId, streamId: id, version, type, recordedAt } = event;
  const data = narrowed(upcast(resource, event).data, mirroredColumns);
  return [
    { therapist_id: therapistId, resource: resource.name, id, version, sequence, type, recordedAt, data },
  ];
}

/** Inserts rows. An event that was published again keeps its first sequence. */
async function insert(
  { client }: History,
  table: 'facts' | 'states',
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `INSERT INTO pg_temp.${table}
     SELECT * FROM json_to_recordset($1::json) AS r(${table === 'facts' ? FACTS : STATES}) ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

/** A record with its events in order. */
interface Logged {
  readonly therapist_id: string;
  readonly resource: string;
  readonly id: string;
  readonly facts: readonly (Fact & { readonly version: number; readonly sequence: number })[];
}

/**
 * Folds the events into states.
 * @returns how many records the stream has only partly; these cannot be checked
 */
export async function foldHistory(history: History): Promise<number> {
  const { client } = history;
  await client.query(`TRUNCATE pg_temp.states; ANALYZE pg_temp.facts`);
  const isErased = await erasedClients(history);
  let partial = 0;
  const none = '00000000-0000-0000-0000-000000000000';
  for (let after: string[] | undefined = [none, '', none]; after !== undefined;) {
    const { rows }: { rows: Logged[] } = await client.query<Logged>(
      `SELECT ${RECORD}, json_agg(json_build_object('version', version, 'sequence', sequence, 'type', type,
         'recordedAt', "recordedAt", 'data', data) ORDER BY version) AS facts
       FROM pg_temp.facts WHERE (${RECORD}) > ($1, $2, $3) GROUP BY ${RECORD} ORDER BY ${RECORD} LIMIT ${BATCH}`,
      after,
    );
    const whole = rows.filter(({ facts }) => facts.every(({ version }, index) => version === index + 1));
    partial += rows.length - whole.length;
    const states = whole.flatMap((record) => statesOf(history, record, isErased(record)));
    await insert(history, 'states', states);
    const last = rows.at(-1);
    after = last && [last.therapist_id, last.resource, last.id];
  }
  await client.query(`ANALYZE pg_temp.states`);
  return partial;
}

/** A function that reports whether a record is of a client that the service has erased, or of an erased practice. */
async function erasedClients({ client, service }: History) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT therapist_id || ' ' || client_id AS name FROM ${logTable(service, 'personal_keys')} WHERE erased_at IS NOT NULL`,
  );
  const erased = new Set(rows.map(({ name }) => name));
  return ({ therapist_id: practice, id }: Logged): boolean =>
    erased.has(`${practice} ${id}`) || erased.has(`${practice} ${practice}`);
}

/** The state after each event. Personal values of erased clients are null: the stream has them until their messages are replaced. */
function statesOf({ columns }: History, { facts, ...record }: Logged, isErased: boolean): object[] {
  const resource = catalog.resources.get(record.resource) as Resource;
  let row: Row | null = null;
  return facts.map(({ version, sequence, ...fact }) => {
    row = mirrored(resource, { before: row, event: { ...fact, streamId: record.id }, columns });
    return { version, sequence, data: isErased ? withoutValues(resource, row) : row, ...record };
  });
}
