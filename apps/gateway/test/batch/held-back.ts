import { eventually, type OwnStack } from '@practice/testing';
import pg from 'pg';

interface Steps<T> {
  /** Sends a batch whose second operation writes to scheduling. */
  readonly send: () => Promise<T>;
  /** Called once the first operation is stored and the second operation waits. */
  readonly meanwhile: () => Promise<void>;
}

/** Delays the second operation of a batch with the lock of the practice, for which it waits. @returns the result of `send` */
export async function heldBack<T>(
  { adminDatabaseUrl }: Pick<OwnStack, 'adminDatabaseUrl'>,
  therapistId: string,
  { send, meanwhile }: Steps<T>,
): Promise<T> {
  const [holder, observer] = [1, 2].map(() => new pg.Client({ connectionString: adminDatabaseUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([holder.connect(), observer.connect()]);
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM scheduling.practice_head WHERE therapist_id = $1 FOR UPDATE', [
    therapistId,
  ]);
  const sent = send();
  try {
    await eventually('the second operation waits', async () => {
      const { rows } = await observer.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%practice_head%'",
      );
      return rows.length > 0;
    });
    await meanwhile();
  } finally {
    await holder.query('COMMIT');
    await Promise.all([holder.end(), observer.end()]);
  }
  return sent;
}
