// Folds the practices whose logs have changed since they were last folded, several in parallel.

import { logTable } from '@practice/log';
import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { clearPractice, foldPractice } from './fold-practice.js';
import { showProgress } from './progress.js';
import { noteFolded } from './new-tables.js';

export interface FoldProgress {
  /** The number of events that are folded. `all` is the number of events to fold. */
  readonly folded: number;
  readonly all: number;
}

export interface Folding {
  readonly service: string;
  readonly resources: readonly Resource[];
  /** The schema of the new tables. */
  readonly schema: string;
  /** The new tables, in the order of the resources. */
  readonly tables: readonly Resource[];
  /** The state of the log in which each practice was folded. */
  readonly folded: Map<string, string>;
  readonly onProgress: (progress: FoldProgress) => void;
}

/** A practice and the state of its log. */
interface Practice {
  readonly id: string;
  readonly position: number;
  /** The state of its log: its last position and its number of erasures. Null if the log no longer exists. */
  readonly mark: string | null;
}

/** The number of practices between two progress reports in the database. */
const PROGRESS_EVERY = 10;

/**
 * Folds every practice whose log has changed since it was last folded.
 * @param clients they fold practices in parallel
 * @param transaction `open` if the clients are already in a transaction
 */
export async function foldNew(
  clients: readonly Client[],
  folding: Folding,
  transaction: 'open' | 'own' = 'own',
): Promise<void> {
  const [first] = clients as [Client];
  const queue = await changedPractices(first, folding);
  const all = { practices: queue.length, events: sum(queue) };
  const done = { practices: 0, events: 0 };
  const work = async (client: Client): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (client === first && done.practices % PROGRESS_EVERY < clients.length)
        await client.query(showProgress(folding.service, done.practices, all.practices));
      await foldOne(client, folding, { practice: next, transaction });
      done.practices += 1;
      done.events += next.position;
      folding.onProgress({ folded: done.events, all: all.events });
    }
  };
  await Promise.all(clients.map(work)).catch((error: unknown) => {
    // The other clients stop after the practice that they are folding now.
    queue.length = 0;
    throw error;
  });
}

const sum = (practices: readonly Practice[]): number =>
  practices.reduce((events, { position }) => events + position, 0);

async function changedPractices(client: Client, { service, folded }: Folding): Promise<Practice[]> {
  const { rows } = await client.query<Practice>(
    `SELECT therapist_id AS id, position::float8 AS position, position || ' ' || erasures AS mark
     FROM ${logTable(service, 'practice_head')} WHERE position > 0 ORDER BY position DESC`,
  );
  const present = new Set(rows.map(({ id }) => id));
  const gone = [...folded.keys()].filter((id) => !present.has(id));
  return [
    ...rows.filter(({ id, mark }) => folded.get(id) !== mark),
    ...gone.map((id) => ({ id, position: 0, mark: null })),
  ];
}

async function foldOne(
  client: Client,
  { service, schema, tables, folded }: Folding,
  { practice: { id, mark }, transaction }: { practice: Practice; transaction: 'open' | 'own' },
): Promise<void> {
  if (transaction === 'own') await client.query('BEGIN');
  if (folded.has(id)) await clearPractice(client, id, tables);
  if (mark !== null) await foldPractice(client, { service, therapistId: id }, tables);
  await client.query(noteFolded(schema, id, mark));
  if (transaction === 'own') await client.query('COMMIT');
  if (mark === null) folded.delete(id);
  else folded.set(id, mark);
}
