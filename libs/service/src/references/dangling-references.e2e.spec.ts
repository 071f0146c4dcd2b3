import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { make, newPractice, stack } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

// Sends more than 20,000 requests.
jest.setTimeout(300_000);

const PRACTICES = 25;
const PAIRS_PER_PRACTICE = 400;
const PAIRS_AT_A_TIME = 4;
/** Practices that are set up at the same time. */
const SCENES_AT_A_TIME = 5;

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

/** A practice with the pairs that are raced in it. */
interface Scene {
  readonly practice: Practice;
  readonly pairs: readonly Pair[];
  /** A client that is never deleted. */
  readonly regular: Made;
}

interface Pair {
  readonly race: Race;
  readonly client: Made | undefined;
  readonly appointment: Made | undefined;
  /** Shifts the reference against the deletion by this part of a deletion's duration. */
  readonly phase: number;
}

/** Appointments that may overlap, without a client. */
const free = { date: '2030-01-07', start_time: '09:00', end_time: '10:00', allow_overlap: true };

type Ids = Readonly<Record<'client' | 'appointment' | 'regular', string | undefined>>;

interface Race {
  /** The records that a pair needs. */
  readonly needs: readonly ('client' | 'appointment')[];
  readonly deleted: 'client' | 'appointment';
  readonly reference: (ids: Ids) => [path: string, method: string, body: object];
}

const races: Record<string, Race> = {
  'a client is booked': {
    needs: ['client'],
    deleted: 'client',
    reference: ({ client }) => ['appointments', 'POST', { ...free, client_id: client }],
  },
  'an appointment is given to a client': {
    needs: ['client', 'appointment'],
    deleted: 'client',
    reference: ({ client, appointment }) => [
      `appointments?id=eq.${appointment}`,
      'PATCH',
      { client_id: client },
    ],
  },
  'a note is written about a client': {
    needs: ['client'],
    deleted: 'client',
    reference: ({ client }) => ['sessions', 'POST', { client_id: client, plan: 'rest' }],
  },
  'a note is written about an appointment': {
    needs: ['appointment'],
    deleted: 'appointment',
    reference: ({ regular, appointment }) => [
      'sessions',
      'POST',
      { client_id: regular, appointment_id: appointment },
    ],
  },
};

const pairDraw = fc.record({
  race: fc.constantFrom(...Object.values(races)),
  phase: fc.constantFrom(-0.5, -0.25, 0, 0, 0.25, 0.5),
});

async function sceneOf(seed: number): Promise<Scene> {
  const practice = await newPractice();
  const drawn = fc.sample(pairDraw, { numRuns: PAIRS_PER_PRACTICE, seed });
  const many = async (need: 'client' | 'appointment', record: object): Promise<Made[]> => {
    const body = drawn.filter(({ race }) => race.needs.includes(need)).map(() => record);
    const headers = { prefer: 'return=representation' };
    const answer = await practice.rest(`${need}s?select=id`, { method: 'POST', body, headers });
    expect(answer.status).toBe(201);
    return answer.json as Made[];
  };
  const [clients, appointments] = [await many('client', { name: 'Ada' }), await many('appointment', free)];
  const pairs = drawn.map((pair) => ({
    ...pair,
    client: pair.race.needs.includes('client') ? clients.pop() : undefined,
    appointment: pair.race.needs.includes('appointment') ? appointments.pop() : undefined,
  }));
  return { practice, pairs, regular: await make(practice, 'clients', { name: 'Bo' }) };
}

interface Tally {
  deleted: number;
  referred: number;
  /** Neither 2xx, nor 409, nor 503. */
  wrong: string[];
}

/** How far the start of the next reference moves, as a part of a deletion's duration, towards the side that lost. */
const STEP = 0.1;

async function raceAll({ practice, pairs, regular }: Scene, tally: Tally): Promise<void> {
  const waiting = [...pairs];
  let deletionMs = 0;
  /** Milliseconds from the deletion to the reference. It follows the outcomes, so that both sides win on any machine. */
  let lead = 0;
  const remove = async (path: string): Promise<Answer> => {
    const began = performance.now();
    const answer = await practice.rest(path, { method: 'DELETE' });
    deletionMs = performance.now() - began;
    return answer;
  };
  const work = async (): Promise<void> => {
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const { race, phase, client, appointment } = pair;
      const ids = { client: client?.id, appointment: appointment?.id, regular: regular.id };
      const [path, method, body] = race.reference(ids);
      const delay = lead + phase * deletionMs;
      const [deletion, reference] = await Promise.all([
        pause(Math.max(0, -delay)).then(() => remove(`${race.deleted}s?id=eq.${ids[race.deleted]}`)),
        pause(Math.max(0, delay)).then(() => practice.rest(path, { method, body })),
      ]);
      lead += (deletion.status === 204 ? -STEP : STEP) * deletionMs;
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
    const seeds = Array.from({ length: PRACTICES }, (_, index) => index + 1);
    const scenes: Scene[] = [];
    while (seeds.length > 0)
      scenes.push(...(await Promise.all(seeds.splice(0, SCENES_AT_A_TIME).map(sceneOf))));
    const tally: Tally = { deleted: 0, referred: 0, wrong: [] };
    await Promise.all(scenes.map((scene) => raceAll(scene, tally)));
    expect(tally.wrong).toEqual([]);
    expect(await dangling(scenes.map(({ practice }) => practice.therapistId))).toEqual([]);
    // Both outcomes must occur often, or little was raced.
    expect(Math.min(tally.deleted, tally.referred)).toBeGreaterThan(1000);
  });
});
