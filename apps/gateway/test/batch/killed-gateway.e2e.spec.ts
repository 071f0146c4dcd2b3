// A gateway that is killed between the parts of a batch or of a nested insert: finished parts stay, and a repetition with the key completes the rest.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, newPractice, ownStack } from '@practice/testing';
import type { Answer, OwnStack, Practice } from '@practice/testing';
import pg from 'pg';
import { heldBack } from './held-back.js';

let own: OwnStack;
let practice: Practice;
let admin: pg.Client;
let gateway: Awaited<ReturnType<OwnStack['start']>>;

beforeAll(async () => {
  own = await ownStack();
  // Before a client is deleted, every service that may refer to it is asked.
  const services = ['identity', 'clients', 'scheduling', 'finance', 'clinical-notes'];
  [gateway] = await Promise.all([own.start('gateway'), ...services.map((service) => own.start(service))]);
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  practice = await newPractice(gateway.origin);
  // The first write of a practice opens its log.
  expect((await send('nested', visitOf(randomUUID()), gateway.origin)).status).toBe(201);
});

afterAll(async () => {
  await admin.end();
  await own.stop();
});

interface Visit {
  readonly name: string;
  readonly end_time: string;
  readonly key: string;
}

const visitOf = (name: string, end = '10:00'): Visit => ({ name, end_time: end, key: randomUUID() });

type Way = 'nested' | 'batch';

/** Creates a client with an appointment. */
function send(way: Way, { name, end_time, key }: Visit, origin: string): Promise<Answer> {
  const date = '2031-03-03';
  const visit = { date, start_time: '09:00', end_time, allow_overlap: true, notes: name };
  const headers = { 'idempotency-key': key, prefer: 'return=representation' };
  const call = { method: 'POST', headers, origin };
  return way === 'nested'
    ? practice.rest('clients?select=id,appointments(client_id)', {
        ...{ ...call, body: { name, appointments: [visit] } },
      })
    : practice.rest('rpc/batch', {
        ...call,
        body: {
          operations: [
            { as: 'c', path: 'clients', body: { name } },
            { path: 'appointments', body: { ...visit, client_id: '$c.id' } },
          ],
        },
      });
}

/** Repeats a write with its key until the system has the time for it. */
const repeatedly = (way: Way, visit: Visit): Promise<Answer> =>
  eventually('the write is answered', async () => {
    const answer = await send(way, visit, gateway.origin);
    return answer.status < 500 && !answer.text.includes('PM005') && answer;
  });

/** Kills the gateway once the client is stored and the appointment waits, and starts another. */
async function killedBetween(way: Way, visit: Visit): Promise<void> {
  await heldBack(own, practice.therapistId, {
    send: () => expect(send(way, visit, gateway.origin)).rejects.toThrow(),
    meanwhile: async () => {
      process.kill(gateway.pid, 'SIGKILL');
      await gateway.exited;
    },
  });
  gateway = await own.start('gateway');
}

const idsOf = async (table: string, column: string, value: string): Promise<string[]> => {
  const { rows } = await admin.query<{ id: string }>(
    `SELECT ${table === 'clients.clients' ? 'id' : 'client_id AS id'} FROM ${table} WHERE ${column} = $1`,
    [value],
  );
  return rows.map(({ id }) => id);
};

it.each(['nested', 'batch'] as const)(
  'a repetition with the key completes an interrupted %s, once',
  async (way) => {
    const visit = visitOf(randomUUID());
    await killedBetween(way, visit);
    const [id] = await idsOf('clients.clients', 'name', visit.name);
    expect(id).toEqual(expect.any(String));
    for (const _ of [1, 2]) {
      const again = await repeatedly(way, visit);
      expect([again.status, again.text.slice(0, 200)]).toEqual([
        way === 'nested' ? 201 : 200,
        expect.any(String),
      ]);
      if (way === 'nested') expect(again.json).toEqual([{ id, appointments: [{ client_id: id }] }]);
      expect(await idsOf('clients.clients', 'name', visit.name)).toEqual([id]);
      expect(await idsOf('scheduling.appointments', 'notes', visit.name)).toEqual([id]);
    }
  },
);

it.each(['nested', 'batch'] as const)(
  'a repetition with the key takes back an interrupted %s that is refused',
  async (way) => {
    const visit = visitOf(randomUUID(), '08:00');
    await killedBetween(way, visit);
    expect(await idsOf('clients.clients', 'name', visit.name)).toHaveLength(1);
    const again = await repeatedly(way, visit);
    expect([again.status, again.headers.get('change-id'), again.json]).toMatchObject([
      400,
      null,
      { code: '23514' },
    ]);
    expect(await idsOf('clients.clients', 'name', visit.name)).toEqual([]);
  },
);
