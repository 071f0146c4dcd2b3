import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { eventually } from './eventually.js';
import type { OwnStack } from './own-stack.js';

type Started = ReturnType<OwnStack['start']>;

interface Held {
  readonly service: string;
  readonly dataDir: string;
  /** The id of a practice that has no record in the service. */
  readonly therapistId: string;
  /** Begins a transaction that holds the process back until it ends. */
  readonly lock: Client;
  readonly start: (settings: Record<string, string>) => Started;
}

/**
 * Starts the next process of a service, which has loaded its modules when the promise is fulfilled. It waits for a row that `lock` has
 * locked: when a process starts, it repeats the erasures that its database lacks.
 */
export async function startHeld({ service, dataDir, therapistId, lock, start }: Held) {
  const head = `${service}.practice_head`;
  await lock.query(`INSERT INTO ${head} (therapist_id, position) VALUES ($1, 0)`, [therapistId]);
  await lock.query('BEGIN');
  await lock.query(`SELECT FROM ${head} WHERE therapist_id = $1 FOR UPDATE`, [therapistId]);
  const ERASURES_FILE = join(dataDir, `${therapistId}.erasures`);
  await writeFile(ERASURES_FILE, `${therapistId} ${randomUUID()} ${new Date().toISOString()}\n`);
  const started = start({ ERASURES_FILE });
  await eventually('the next process waits', async () => {
    const { rows } = await lock.query(
      `SELECT 1 FROM pg_locks waiting JOIN pg_locks held USING (pid)
      WHERE NOT waiting.granted AND held.relation = '${head}'::regclass`,
    );
    return rows.length > 0;
  });
  return { started };
}
