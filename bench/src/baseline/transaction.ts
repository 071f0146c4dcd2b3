// The service's write transaction, bare: lock and load in one round trip, append, write and commit in another.

import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import { prepared } from './pool.js';
import { BASELINE } from './schema.js';
import { appendText, lockText, upsertText } from './sql.js';
import { lifecycleOf } from './templates.js';

export type Row = Readonly<Record<string, unknown>>;

export interface Fact {
  readonly type: string;
  readonly data: object;
  readonly row: Row;
  readonly version: number;
}

/** A prepared statement with its values; rows come as arrays of Postgres' own text, as the service takes them. */
export type Loading = QueryArrayConfig;

const lock = prepared('lock', lockText(BASELINE));
const append = prepared('append', appendText(BASELINE));
const upsert = prepared('upsert', upsertText(BASELINE));

export const asText = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const;

/** Locks the practice, loads, lets `decide` say what happened, and stores it. */
export async function transact(
  pool: Pool,
  practice: string,
  { loading, decide }: { loading: Loading; decide: (rows: readonly string[][]) => Fact },
): Promise<void> {
  const client = await pool.connect();
  try {
    const [, locked, loaded] = await Promise.all([
      client.query('BEGIN'),
      client.query<string[]>({ ...lock, ...asText, values: [practice] }),
      client.query<string[]>(loading),
    ]);
    const position = Number(locked.rows[0]?.[0]) + 1;
    await store(client, { practice, position, fact: decide(loaded.rows) });
    client.release();
  } catch (error) {
    // No measurement counts in which this happens: the connection need not be saved.
    client.release(true);
    throw error;
  }
}

async function store(
  client: PoolClient,
  { practice, position, fact }: { practice: string; position: number; fact: Fact },
): Promise<void> {
  const { type, data, row, version } = fact;
  const now = new Date().toISOString();
  const id = row['id'];
  const metadata = {
    eventId: randomUUID(),
    actor: practice,
    requestId: randomUUID(),
    correlationId: randomUUID(),
  };
  const event = {
    position,
    aggregate: 'appointment',
    stream_id: id,
    version,
    type,
    schema_version: 1,
    data,
    metadata,
    recorded_at: now,
    ...lifecycleOf(type),
  };
  const record = { ...row, version, _json: JSON.stringify(row) };
  await Promise.all([
    client.query({ ...append, values: [practice, JSON.stringify([event]), position] }),
    client.query({ ...upsert, values: [practice, JSON.stringify([record])] }),
    client.query('COMMIT'),
  ]);
}
