import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { make, newPractice, stack } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import fc from 'fast-check';
import pg from 'pg';

// Sends more than 20,000 requests.
jest.setTimeout(300_000);

const PRACTICES = 25;
const PAIRS_PER_PRACTICE = 400;
const PAIRS_AT_A_TIME = 6;

let second: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
let admin: pg.Client;

beforeAll(async () => {
  second = await stack().spawnProcess('scheduling');
  admin = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await second.stop();
});

/** A practice with the records that its pairs are about. */
interface Scene {
  readonly practice: Practice;
  readonly clients: readonly Made[];
  readonly appointments: readonly Made[];
  /** A client that is never deleted. */
  readonly regular: Made;
}

/** Appointments that may overlap, without a client. */
const free = { date: '2030-01-07', start_time: '09:00', end_time: '10:00', allow_overlap: true };

async function sceneOf(): Promise<Scene> {
  const practice = await newPractice();
  const many = async (resource: string, record: object): Promise<Made[]> => {
    const body = Array.from({ length: PAIRS_PER_PRACTICE }, () => record);
    const headers = { prefer: 'return=representation' };
    const answer = await practice.rest(resource, { method: 'POST', body, headers });
    expect(answer.status).toBe(201);
    return answer.json as Made[];
  };
  return {
    practice,
    clients: await many('clients', { name: 'Ada' }),
    appointments: await many('appointments', free),
    regular: await make(practice, 'clients', { name: 'Bo' }),
  };
}

type Race = (scene: Scene, pair: { client: Made; appointment: Made }) => [Promise<Answer>, Promise<Answer>];

const removing =
  (resource: string, id: string) =>
  ({ practice }: Scene): Promise<Answer> =>
    practice.rest(`${resource}?id=eq.${id}`, { method: 'DELETE' });

const races: Record<string, Race> = {
  'a client is booked': (scene, { client }) => [
    removing('clients', client.id)(scene),
    scene.practice.rest('appointments', { method: 'POST', body: { ...free, client_id: client.id } }),
  ],
  'an appointment is given to a client': (scene, { client, appointment }) => [
    removing('clients', client.id)(scene),
    scene.practice.rest(`appointments?id=eq.${appointment.id}`, {
      method: 'PATCH',
      body: { client_id: client.id },
    }),
  ],
  'a note is written about a client': (scene, { client }) => [
    removing('clients', client.id)(scene),
    scene.practice.rest('sessions', { method: 'POST', body: { client_id: client.id, plan: 'rest' } }),
  ],
  'a note is written about an appointment': (scene, { appointment }) => [
    removing('appointments', appointment.id)(scene),
    scene.practice.rest('sessions', {
      method: 'POST',
      body: { client_id: scene.regular.id, appointment_id: appointment.id },
    }),
  ],
};

interface Tally {
  deleted: number;
  referred: number;
  /** Neither 2xx, nor 409, nor 503. */
  wrong: string[];
}

async function race(scene: Scene, names: readonly string[], tally: Tally): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < names.length; index = next++) {
      const pair = { client: scene.clients[index] as Made, appointment: scene.appointments[index] as Made };
      const [deletion, reference] = await Promise.all((races[names[index] as string] as Race)(scene, pair));
      if (deletion.status === 204) tally.deleted += 1;
      if (reference.status < 300) tally.referred += 1;
      for (const { status, text } of [deletion, reference])
        if (status >= 300 && status !== 409 && status !== 503) tally.wrong.push(`${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: PAIRS_AT_A_TIME }, work));
}

/** Records of these practices that refer to a record of another service that does not exist. */
async function dangling(practices: readonly string[]): Promise<object[]> {
  const references: [string, string, string][] = [
    ['scheduling.appointments', 'client_id', 'clients.clients'],
    ['clinical_notes.sessions', 'client_id', 'clients.clients'],
    ['clinical_notes.sessions', 'appointment_id', 'scheduling.appointments'],
  ];
  const found: object[] = [];
  for (const [from, column, to] of references) {
    const { rows } = await admin.query<object>(
      `select r.id, r.${column} as missing, '${from}' as from_table from ${from} r
       where r.therapist_id = any ($1) and r.${column} is not null
         and not exists (select from ${to} o where o.therapist_id = r.therapist_id and o.id = r.${column}) limit 5`,
      [practices],
    );
    found.push(...rows);
  }
  return found;
}

describe('10,000 deletions, each while another service is about to refer to the record', () => {
  it('leave no reference to a record that is gone', async () => {
    const scenes: Scene[] = [];
    while (scenes.length < PRACTICES) scenes.push(await sceneOf());
    const drawn = fc.sample(fc.constantFrom(...Object.keys(races)), {
      numRuns: PRACTICES * PAIRS_PER_PRACTICE,
      seed: 11,
    });
    const tally: Tally = { deleted: 0, referred: 0, wrong: [] };
    await Promise.all(
      scenes.map((scene, index) => {
        const from = index * PAIRS_PER_PRACTICE;
        return race(scene, drawn.slice(from, from + PAIRS_PER_PRACTICE), tally);
      }),
    );
    expect(tally.wrong).toEqual([]);
    expect(await dangling(scenes.map(({ practice }) => practice.therapistId))).toEqual([]);
    // Both outcomes must occur, or nothing was raced. How often each does depends on the machine.
    expect(Math.min(tally.deleted, tally.referred)).toBeGreaterThan(100);
  });
});
