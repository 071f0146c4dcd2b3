// The mirrored records according to the stream, in two temporary tables: one has their events, the other their state at every
// version. Tables can hold any number of records, and tolerate events that were published late or more than once.

import type { Replayed } from '@practice/bus';
import { catalog } from '@practice/contracts';
import { logTable } from '@practice/log';
import { personalOf, upcast, type Resource, type Row } from '@practice/resource';
import type { Client } from 'pg';
import { resourceOfEvent } from '@practice/projections';
import { mirrored, narrowed } from '@practice/mirror';
import type { Mirrored } from '@practice/storage';

export interface History {
  readonly client: Client;
  /** The service with the mirror. */
  readonly service: string;
  readonly columns: Mirrored;
}

const BATCH = 1000;
const KEY = 'therapist_id, resource, id, version';
const FACTS = `therapist_id uuid, resource text, id uuid, version integer, sequence bigint, type text, "recordedAt" text, data jsonb`;
const STATES = `therapist_id uuid, resource text, id uuid, version integer, sequence bigint, data jsonb`;

/** Creates the temporary tables. They are dropped when the connection ends. */
export async function openHistory({ client }: History): Promise<void> {
  await client.query(`CREATE TEMPORARY TABLE facts (${FACTS}, PRIMARY KEY (${KEY}))`);
  await client.query(`CREATE TEMPORARY TABLE states (${STATES}, PRIMARY KEY (${KEY}))`);
}

/** Adds events. @returns the sequence of the last event, or 0 without events */
export async function addToHistory(history: History, events: AsyncIterable<Replayed>): Promise<number> {
  let batch: object[] = [];
  let last = 0;
  for await (const { sequence, event } of events) {
    last = sequence;
    const resource = resourceOfEvent(event);
    if (resource === undefined || history.columns[resource.name] === undefined) continue;
    const { therapistId, streamId, version, type, recordedAt } = event;
    const data = narrowed(upcast(resource, event).data, history.columns[resource.name] ?? []);
    const key = { therapist_id: therapistId, resource: resource.name, id: streamId, version };
    batch.push({ ...key, sequence, type, recordedAt, data });
    if (batch.length === BATCH) {
      await insert(history, 'facts', batch);
      batch = [];
    }
  }
  await insert(history, 'facts', batch);
  return last;
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

interface Fact {
  readonly therapist_id: string;
  readonly resource: string;
  readonly id: string;
  readonly version: number;
  readonly sequence: number;
  readonly type: string;
  readonly recordedAt: string;
  readonly data: object;
}

/**
 * Folds the events into states.
 * @returns how many records the stream has only partly; these cannot be checked
 */
export async function foldHistory(history: History): Promise<number> {
  const { client } = history;
  await client.query(`TRUNCATE pg_temp.states`);
  let partial = 0;
  let states: object[] = [];
  for await (const facts of records(history)) {
    if (facts.some(({ version }, index) => version !== index + 1)) partial++;
    else states.push(...statesOf(history, facts));
    if (states.length >= BATCH) {
      await insert(history, 'states', states);
      states = [];
    }
  }
  await insert(history, 'states', states);
  await client.query(`ANALYZE pg_temp.states`);
  await blankErased(history);
  return partial;
}

/** Blanks the personal values of clients that the service has erased: the stream has them until their messages are replaced. */
async function blankErased({ client, service, columns }: History): Promise<void> {
  const personal = Object.entries(columns).flatMap(([resource, names]) => {
    const known = personalOf(catalog.resources.get(resource) as Resource)?.names ?? [];
    return names.filter((name) => known.includes(name)).map((name) => ({ resource, name }));
  });
  await client.query(
    `UPDATE pg_temp.states AS s SET data = s.data || blank.data
     FROM (SELECT c.resource, jsonb_object_agg(c.name, NULL) AS data
       FROM json_to_recordset($1::json) AS c(resource text, name text) GROUP BY 1) AS blank,
       ${logTable(service, 'personal_keys')} AS k
     WHERE s.resource = blank.resource AND s.data IS NOT NULL AND k.erased_at IS NOT NULL
       AND k.therapist_id = s.therapist_id AND k.client_id IN (s.id, s.therapist_id)`,
    [JSON.stringify(personal)],
  );
}

function statesOf({ columns }: History, facts: readonly Fact[]): object[] {
  let row: Row | null = null;
  return facts.map(({ therapist_id, resource: name, id, version, sequence, ...fact }) => {
    const resource = catalog.resources.get(name) as Resource;
    row = mirrored(resource, { before: row, event: { ...fact, streamId: id }, columns });
    return { therapist_id, resource: name, id, version, sequence, data: row };
  });
}

/** Only within a practice and a resource are ids unique. */
const isSameRecord = (one: Fact, other: Fact): boolean =>
  one.therapist_id === other.therapist_id && one.resource === other.resource && one.id === other.id;

/** The events of each record, in order. */
async function* records({ client }: History): AsyncGenerator<readonly Fact[]> {
  let record: Fact[] = [];
  const none = '00000000-0000-0000-0000-000000000000';
  for (let after: unknown[] | undefined = [none, '', none, 0]; after !== undefined;) {
    const { rows }: { rows: Fact[] } = await client.query<Fact>(
      `SELECT ${KEY}, sequence::float8 AS sequence, type, "recordedAt", data FROM pg_temp.facts
       WHERE (${KEY}) > ($1, $2, $3, $4) ORDER BY ${KEY} LIMIT ${BATCH}`,
      after,
    );
    for (const fact of rows) {
      const [first] = record;
      if (first !== undefined && !isSameRecord(first, fact)) {
        yield record;
        record = [];
      }
      record.push(fact);
    }
    const last = rows.at(-1);
    after = last && [last.therapist_id, last.resource, last.id, last.version];
  }
  if (record.length > 0) yield record;
}
