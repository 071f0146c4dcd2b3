// Checks the log of every practice of a service, on a few connections. Ranges of positions are independent of each other, so
// small practices share a statement and large ones are divided.

import { checkRanges, checkedRanges, loggedPractices, rangesOf, run, withOpenClient } from '@practice/log';
import type { LogRange } from '@practice/log';
import type { Client } from 'pg';

export interface VerifyInput {
  readonly service: string;
  /** The connection string of the service's relay role. */
  readonly url: string;
  /** Called after each statement. @param done the number of events checked so far, of `total` */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The number of positions in one statement. */
const BATCH = 4000;
const CONNECTIONS = 2;

/** Checks the logs. @throws {Error} if a log cannot be read to its end */
export async function verifyLogs(input: VerifyInput) {
  const { onProgress = () => undefined } = input;
  const practices = await connected(input, (client) => practicesOf(client, input.service));
  const total = practices.reduce((sum, { position }) => sum + position, 0);
  const waiting = batchesOf(practices);
  const broken = new Map<string, number>();
  let events = 0;
  // The connections share the batches.
  const work = async (client: Client): Promise<void> => {
    for (const ranges of waiting) {
      for (const found of checkedRanges(await run(client, checkRanges(input.service, ranges)))) {
        events += found.events;
        const { therapistId, firstBroken } = found;
        if (firstBroken !== null)
          broken.set(therapistId, Math.min(firstBroken, broken.get(therapistId) ?? firstBroken));
      }
      onProgress(events, total);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(input, work)));
  return {
    practices: practices.length,
    events,
    /** Logs that were changed, each with the first position whose event is missing, was added, or differs from its hash. */
    broken: [...broken].map(([therapistId, position]) => ({ therapistId, position })),
  };
}

async function practicesOf(client: Client, service: string) {
  const rows = await run(client, loggedPractices(service));
  return rows.map(([id, position]) => ({ therapistId: String(id), position: Number(position) }));
}

function* batchesOf(practices: Awaited<ReturnType<typeof practicesOf>>): Generator<LogRange[]> {
  let batch: LogRange[] = [];
  let size = 0;
  for (const practice of practices) {
    for (const range of rangesOf([practice], BATCH)) {
      batch.push(range);
      size += Math.min(BATCH, practice.position - range.first + 1) + 1;
      if (size < BATCH) continue;
      yield batch;
      [batch, size] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}

const connected = <T>({ service, url }: VerifyInput, use: (client: Client) => Promise<T>): Promise<T> =>
  withOpenClient(
    { connectionString: url, application_name: `${service} verify`, options: '-c statement_timeout=0' },
    use,
  );
