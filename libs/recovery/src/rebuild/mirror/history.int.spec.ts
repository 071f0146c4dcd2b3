import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Replayed } from '@practice/bus';
import { adminDatabase } from '@practice/testing';
import { addToHistory, foldHistory, openHistory } from './history.js';

const client = adminDatabase();

/** The registration of a client, as the stream has it. */
const registered = (sequence: number, therapistId: string, streamId: string): Replayed => ({
  sequence,
  event: {
    ...{ service: 'clients', aggregate: 'client', type: 'ClientRegistered', data: { name: 'Ada' } },
    ...{ therapistId, streamId, position: 1, version: 1, schemaVersion: 1 },
    metadata: { eventId: randomUUID(), correlationId: randomUUID() },
    recordedAt: '2026-05-01T08:00:00Z',
  },
});

async function* inTurn(events: readonly Replayed[]): AsyncGenerator<Replayed> {
  yield* events;
}

it('keeps the records of two practices with one id apart', async () => {
  const history = { client, service: 'scheduling', columns: { clients: ['name'] } };
  const id = randomUUID();
  const practices = [randomUUID(), randomUUID()];
  await openHistory(history);
  await addToHistory(
    history,
    inTurn(practices.map((practice, index) => registered(index + 1, practice, id))),
  );
  expect(await foldHistory(history)).toBe(0);
  const { rows } = await client.query(
    `SELECT therapist_id, version, data ->> 'name' AS name FROM pg_temp.states ORDER BY sequence`,
  );
  expect(rows).toEqual(practices.map((practice) => ({ therapist_id: practice, version: 1, name: 'Ada' })));
});
